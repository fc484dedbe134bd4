"""Record tests/traces/causes/jax-*.xplane.pb: JAX training on the CPU that loses time between its steps for one known reason.

The `train` marker holds the dispatch of the step; what the cause is named after happens between two of them.

    compile      a prediction is asked for after every second step, each time with another batch size
    wait         the host waits for the loss after every step; the step runs on the client's threads meanwhile
    unknown      the program sleeps 6 ms and nothing says so

Usage: python causes_jax.py CAUSE OUTPUT_FILE.xplane.pb
"""

import glob
import os
import shutil
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np

STEPS = 6


@jax.jit
def train_step(weights, x):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean(jnp.square(jnp.tanh(x @ w))))(weights)
    return weights - 0.01 * grad, loss


@jax.jit
def predict(weights, x):
    return jnp.argmax(x @ weights, axis=-1)


def compile_between(step, weights, loss):
    if step and step % 2 == 0:
        predict(weights, np.ones((step, weights.shape[0]), np.float32))


def wait_between(step, weights, loss):
    with jax.profiler.TraceAnnotation("block_until_ready"):
        loss.block_until_ready()


def sleep_between(step, weights, loss):
    loss.block_until_ready()
    time.sleep(0.006)


# width of the model and what runs between two steps
CAUSES = {"compile": (64, compile_between), "wait": (768, wait_between), "unknown": (64, sleep_between)}


def profile_options():
    options = jax.profiler.ProfileOptions()
    options.host_tracer_level = 2
    options.python_tracer_level = 0
    options.enable_hlo_proto = False
    return options


def record(folder, width, between):
    x, weights = np.ones((width, width), np.float32), jnp.zeros((width, width))
    weights, loss = train_step(weights, x)
    between(0, weights, loss)
    with jax.profiler.trace(folder, profiler_options=profile_options()):
        for step in range(1, STEPS + 1):
            with jax.profiler.StepTraceAnnotation("train", step_num=step):
                weights, loss = train_step(weights, x)
            between(step, weights, loss)
        loss.block_until_ready()


def main(cause, out_file):
    folder = "recorded"  # the trace holds this name
    try:
        record(folder, *CAUSES[cause])
        (recorded,) = glob.glob(os.path.join(folder, "plugins/profile/*/*.xplane.pb"))
        shutil.copyfile(recorded, out_file)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
