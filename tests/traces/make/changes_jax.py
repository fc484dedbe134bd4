"""Record tests/traces/changes/jax-*: JAX training steps over sentences of different lengths, before and after a change.

Before: a batch is as long as its longest sentence, so that each new length compiles the step again. After: all batches are padded to the
longest sentence of all.

Usage: python changes_jax.py before|after OUTPUT_DIRECTORY
"""

import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np

LENGTHS = [96, 80, 88, 72, 91, 96, 64, 83, 77, 96, 68, 90]
FEATURES, BATCH = 128, 16


@jax.jit
def train_step(weights, x):
    def loss_of(w):
        h = jax.nn.relu(x @ w)
        scores = jax.nn.softmax(jnp.einsum("btd,bsd->bts", h, h))
        return jnp.mean(jnp.square(jnp.einsum("bts,bsd->btd", scores, h)))

    loss, grad = jax.value_and_grad(loss_of)(weights)
    return weights - 0.01 * grad, loss


def run_step(weights, x, step):
    with jax.profiler.StepTraceAnnotation("train", step_num=step):
        weights, loss = train_step(weights, x)
        loss.block_until_ready()
    return weights


def profile_options():
    options = jax.profiler.ProfileOptions()
    options.host_tracer_level = 2
    options.python_tracer_level = 0
    options.enable_hlo_proto = False
    return options


def main(pad, out_dir):
    rng = np.random.default_rng(0)
    weights = jnp.asarray(rng.standard_normal((FEATURES, FEATURES), dtype=np.float32))
    longest = max(LENGTHS)
    batches = [rng.standard_normal((BATCH, longest if pad else n, FEATURES), dtype=np.float32) for n in LENGTHS]
    weights = run_step(weights, batches[0], 0)  # the first one compiles in either case
    with jax.profiler.trace(out_dir, profiler_options=profile_options()):
        for step in range(1, len(batches)):
            weights = run_step(weights, batches[step], step)


if __name__ == "__main__":
    main(sys.argv[1] == "after", sys.argv[2])
