"""Record tests/traces/jax-grain: JAX training steps fed by a Grain pipeline that is slower than the step.

Grain annotates its stages (`_ipl_stage_id`, `_ipl_stage_name`, `_ipl_stage_cat`) through a profiler module of which the
published package holds only an empty form.  `connect_profiler` puts JAX's annotations in its place, before Grain's
decorators are applied; the annotations themselves are Grain's own.

Usage: python jax_grain.py OUTPUT_DIRECTORY
"""

import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np

STEPS, WARMUP = 8, 2
BATCH, FEATURES = 16, 64
SAMPLE_SECONDS = 0.0004


def connect_profiler():
    from grain._src.core import profiler

    profiler._framework = "JAX"
    profiler.is_enabled = lambda: True
    profiler.TraceAnnotation = jax.profiler.TraceAnnotation


def decode(sample):
    time.sleep(SAMPLE_SECONDS)
    return np.full(FEATURES, sample, dtype=np.float32)


def make_batches():
    import grain

    data = grain.MapDataset.range((STEPS + WARMUP) * BATCH).shuffle(seed=0).map(decode).batch(BATCH)
    return iter(data.to_iter_dataset(grain.ReadOptions(num_threads=1, prefetch_buffer_size=1)))


@jax.jit
def train_step(weights, x):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean(jnp.square(jnp.tanh(x @ w))))(weights)
    return weights - 0.01 * grad, loss


def run_step(weights, batches, step):
    with jax.profiler.StepTraceAnnotation("train", step_num=step):
        weights, loss = train_step(weights, next(batches))
        loss.block_until_ready()
    return weights


def profile_options():
    options = jax.profiler.ProfileOptions()
    options.host_tracer_level = 2
    options.python_tracer_level = 0
    options.enable_hlo_proto = False
    return options


def main(out_dir):
    connect_profiler()
    batches = make_batches()
    weights = jnp.zeros((FEATURES, FEATURES))
    for step in range(WARMUP):
        weights = run_step(weights, batches, step)
    with jax.profiler.trace(out_dir, profiler_options=profile_options()):
        for step in range(WARMUP, WARMUP + STEPS):
            weights = run_step(weights, batches, step)


if __name__ == "__main__":
    main(sys.argv[1])
