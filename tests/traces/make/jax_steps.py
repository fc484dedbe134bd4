"""Record tests/traces/jax-steps: JAX training steps of which two compile again because the batch has a new shape.

Ten `train` steps; the batches of steps 4 and 8 are shorter than any before.  Between the steps nothing happens.

Usage: python jax_steps.py OUTPUT_DIRECTORY
"""

import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np

STEPS = 10
SHORT, LONG = {4: 48, 8: 32}, 64
FEATURES = 128


@jax.jit
def train_step(weights, x):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean(jnp.square(jax.nn.relu(x @ w))))(weights)
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


def main(out_dir):
    rng = np.random.default_rng(0)
    weights = jnp.asarray(rng.standard_normal((FEATURES, FEATURES), dtype=np.float32))
    batches = [rng.standard_normal((SHORT.get(step, LONG), FEATURES), dtype=np.float32) for step in range(STEPS + 1)]
    weights = run_step(weights, batches[0], 0)  # compile outside of the recorded window
    with jax.profiler.trace(out_dir, profiler_options=profile_options()):
        for step in range(1, STEPS + 1):
            weights = run_step(weights, batches[step], step)


if __name__ == "__main__":
    main(sys.argv[1])
