"""Record tests/traces/jax-memory: a JAX training loop whose compiled programs tell what memory they need.

Eight `train` steps of a small multilayer perceptron; the weights are donated, so that the new ones take over their memory.  Steps 1-4
have a batch of 64, steps 5-8 one of 256: the same module compiled for two shapes, of which one needs four times the activations.
XLA's CPU client reports no allocations to the profiler; what is recorded is the plan of the compiler, in the programs.

Usage: python jax_memory.py OUTPUT_DIRECTORY
"""

import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

STEPS, SMALL, LARGE, WIDTH = 8, 64, 256, 256


def loss_of(weights, x):
    for w in weights:
        x = jax.nn.relu(x @ w)
    return jnp.mean(jnp.square(x))


@partial(jax.jit, donate_argnums=0)
def train_step(weights, x):
    loss, grads = jax.value_and_grad(loss_of)(weights, x)
    return [w - 0.01 * g for w, g in zip(weights, grads)], loss


def batch_of(step):
    return SMALL if step <= STEPS // 2 else LARGE


def main(out_dir):
    rng = np.random.default_rng(0)
    weights = [jnp.asarray(rng.standard_normal((WIDTH, WIDTH), dtype=np.float32) / 16) for _ in range(3)]
    batches = {n: rng.standard_normal((n, WIDTH), dtype=np.float32) for n in (SMALL, LARGE)}
    for batch in batches.values():  # compile outside of the recorded window
        weights, _ = train_step(weights, batch)
    options = jax.profiler.ProfileOptions()
    options.host_tracer_level = 2
    options.python_tracer_level = 0
    options.enable_hlo_proto = True
    with jax.profiler.trace(out_dir, profiler_options=options):
        for step in range(1, STEPS + 1):
            with jax.profiler.StepTraceAnnotation("train", step_num=step):
                weights, loss = train_step(weights, batches[batch_of(step)])
                loss.block_until_ready()


if __name__ == "__main__":
    main(sys.argv[1])
