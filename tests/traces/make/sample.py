"""Record tests/traces/sample: a small JAX training run on the CPU whose input stalls once.

Each of twelve steps draws its input (`load_batch`), then enters a `train` step marker that dispatches the
jitted step and waits for the loss.  The input for the step after SLOW_AFTER takes 40 ms longer, outside of
any marker, so the trace holds one gap between two steps with a known cause.

Usage: python sample.py OUTPUT_DIRECTORY
"""

import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np

STEPS = 12
SLOW_AFTER = 8
SLOW_SECONDS = 0.040
BATCH, IN, HIDDEN, OUT = 64, 256, 512, 10


def init_params(key):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "w1": jax.random.normal(k1, (IN, HIDDEN)) * 0.05,
        "w2": jax.random.normal(k2, (HIDDEN, HIDDEN)) * 0.05,
        "w3": jax.random.normal(k3, (HIDDEN, OUT)) * 0.05,
    }


def loss_fn(params, x, y):
    with jax.named_scope("hidden1"):
        h = jax.nn.relu(x @ params["w1"])
    with jax.named_scope("hidden2"):
        h = jax.nn.relu(h @ params["w2"])
    with jax.named_scope("logits"):
        logits = h @ params["w3"]
    with jax.named_scope("loss"):
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * y, axis=-1))


@jax.jit
def train_step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    with jax.named_scope("sgd"):
        params = jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)
    return params, loss


def load_batch(rng, step):
    with jax.profiler.TraceAnnotation("load_batch", step=step):
        x = rng.standard_normal((BATCH, IN), dtype=np.float32)
        y = np.eye(OUT, dtype=np.float32)[rng.integers(0, OUT, BATCH)]
        if step == SLOW_AFTER + 1:
            time.sleep(SLOW_SECONDS)
        return x, y


def run_step(params, batch, step):
    with jax.profiler.StepTraceAnnotation("train", step_num=step):
        params, loss = train_step(params, *batch)
        with jax.profiler.TraceAnnotation("wait_for_loss"):
            loss.block_until_ready()
    return params


def profile_options():
    options = jax.profiler.ProfileOptions()
    options.host_tracer_level = 2
    options.python_tracer_level = 0
    options.enable_hlo_proto = False
    return options


def main(out_dir):
    rng = np.random.default_rng(0)
    params = init_params(jax.random.key(0))
    params = run_step(params, load_batch(rng, 0), 0)  # compile outside of the recorded window
    with jax.profiler.trace(out_dir, profiler_options=profile_options()):
        for step in range(1, STEPS + 1):
            params = run_step(params, load_batch(rng, step), step)


if __name__ == "__main__":
    main(sys.argv[1])
