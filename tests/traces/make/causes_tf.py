"""Record tests/traces/causes/tf-*.xplane.pb: TensorFlow training on the CPU that loses time between its steps for one known reason.

The `train` marker holds the training step; what the cause is named after happens between two of them.

    contention   the training thread runs Python that records nothing, while four threads of tf.data keep all cores busy
    quiet        the same Python, and nobody else runs
    checkpoint   a checkpoint is written after every step
    input        the next batch, which takes 8 ms, is fetched between the markers

Usage: python causes_tf.py CAUSE OUTPUT_FILE.xplane.pb
"""

import glob
import os
import shutil
import sys
import time

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf

STEPS, WARMUP = 5, 3
FEATURES, CLASSES = 64, 10
TURNS = 150_000


def make_train_step():
    weights = tf.Variable(tf.random.stateless_normal((FEATURES, CLASSES), seed=(0, 1)))

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, weights)))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    return train_step, weights


def bookkeeping():
    """About 5 ms of Python on a core of its own."""
    total = 0
    for i in range(TURNS):
        total += i & 7
    return total


def burn(_):
    x = tf.random.stateless_uniform((256, 256), seed=(0, 1))
    for _ in range(12):
        x = tf.matmul(x, x) * 0.001
    return x[:32, :FEATURES]


def sleepy(_):
    time.sleep(0.008)
    return np.ones((32, FEATURES), np.float32)


def burning_dataset():
    options = tf.data.Options()
    options.threading.private_threadpool_size = 4
    data = tf.data.Dataset.range(10_000).map(burn, num_parallel_calls=4).prefetch(500)
    return data.with_options(options)


def sleeping_dataset():
    def decode(i):
        return tf.ensure_shape(tf.numpy_function(sleepy, [i], tf.float32, name="decode_jpeg"), (32, FEATURES))

    return tf.data.Dataset.range(100).map(decode)


def steady_dataset():
    return tf.data.Dataset.from_tensors(tf.ones((32, FEATURES))).repeat()


def record(folder, dataset, between):
    """`between(variables)` runs after the marker of each step, then the next batch is fetched."""
    train_step, weights = make_train_step()
    batches = iter(dataset)
    x = next(batches)
    for _ in range(WARMUP):
        train_step(x)
        between(weights)
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=0, device_tracer_level=0)
    tf.profiler.experimental.start(folder, options)
    for step in range(1, STEPS + 1):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(x)
        between(weights)
        x = next(batches)
    tf.profiler.experimental.stop()


def contention(folder):
    record(folder, burning_dataset(), lambda weights: bookkeeping())


def quiet(folder):
    record(folder, steady_dataset(), lambda weights: bookkeeping())


def checkpoint(folder):
    def save(weights):
        tf.train.Checkpoint(weights=weights).write(os.path.join(folder, "checkpoint"))

    record(folder, steady_dataset(), save)


def slow_input(folder):
    record(folder, sleeping_dataset(), lambda weights: None)


CAUSES = {"contention": contention, "quiet": quiet, "checkpoint": checkpoint, "input": slow_input}


def main(cause, out_file):
    folder = "recorded"  # the trace holds this name
    try:
        CAUSES[cause](folder)
        (recorded,) = glob.glob(os.path.join(folder, "plugins/profile/*/*.xplane.pb"))
        shutil.copyfile(recorded, out_file)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
