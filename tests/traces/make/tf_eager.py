"""Record tests/traces/tf-eager: a training loop without `tf.function`, every op dispatched from Python.

The input is a `Dataset.from_generator` whose generator computes in Python; nothing is prefetched, so reading lies
in the training thread.

Usage: python tf_eager.py OUTPUT_DIRECTORY
"""

import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf

STEPS, WARMUP = 6, 2
BATCH, FEATURES, CLASSES = 32, 64, 10


def samples():
    rng = np.random.default_rng(0)
    for _ in range(STEPS + WARMUP + 2):
        yield rng.standard_normal((BATCH, FEATURES)).astype(np.float32), rng.integers(0, CLASSES, BATCH)


def make_dataset():
    signature = (tf.TensorSpec((BATCH, FEATURES), tf.float32), tf.TensorSpec((BATCH,), tf.int64))
    return tf.data.Dataset.from_generator(samples, output_signature=signature)


def train_step(weights, x, y):
    with tf.GradientTape() as tape:
        hidden = tf.nn.relu(tf.matmul(x, weights[0]))
        logits = tf.matmul(hidden, weights[1])
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    for weight, grad in zip(weights, tape.gradient(loss, weights)):
        weight.assign_sub(0.01 * grad)
    return loss.numpy()


def main(out_dir):
    weights = [tf.Variable(tf.random.stateless_normal(shape, seed=(0, 1))) for shape in ((FEATURES, 128), (128, CLASSES))]
    batches = iter(make_dataset())
    for _ in range(WARMUP):
        train_step(weights, *next(batches))
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=0, device_tracer_level=0)
    tf.profiler.experimental.start(out_dir, options)
    for step in range(1, STEPS + 1):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(weights, *next(batches))
    tf.profiler.experimental.stop()


if __name__ == "__main__":
    main(sys.argv[1])
