"""Record tests/traces/tf-cpu: a small Keras training loop on the CPU that waits for a slow tf.data map.

The map sleeps about 8 ms per batch while a training step takes less, so the prefetch buffer runs
empty and the iterator waits: input-bound, with the parallel map as the bottleneck.

Usage: python tf_cpu.py OUTPUT_DIRECTORY
"""

import os
import sys
import time

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf

STEPS = 8
WARMUP = 3
MAP_SECONDS = 0.008
BATCH, FEATURES, CLASSES = 32, 64, 10


def slow_decode(x):
    time.sleep(MAP_SECONDS)
    return (x * 2.0).astype(np.float32)


def decode(x, y):
    x = tf.numpy_function(slow_decode, [x], tf.float32, name="slow_decode")
    x.set_shape((BATCH, FEATURES))
    return x, y


def make_dataset():
    rng = np.random.default_rng(0)
    batches = WARMUP + STEPS + 4
    x = rng.standard_normal((batches * BATCH, FEATURES)).astype(np.float32)
    y = rng.integers(0, CLASSES, batches * BATCH)
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH, drop_remainder=True)
    return data.map(decode, num_parallel_calls=1).prefetch(2)


def make_model():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Input((FEATURES,)),
            tf.keras.layers.Dense(128, activation="relu", name="hidden"),
            tf.keras.layers.Dense(CLASSES, name="logits"),
        ]
    )


def make_train_step(model):
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.SGD(0.01)
    optimizer.build(model.trainable_variables)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return train_step


def main(out_dir):
    train_step = make_train_step(make_model())
    batches = iter(make_dataset())
    for _ in range(WARMUP):
        train_step(*next(batches))
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=0, device_tracer_level=0)
    tf.profiler.experimental.start(out_dir, options)
    for step in range(1, STEPS + 1):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(*next(batches))
    tf.profiler.experimental.stop()


if __name__ == "__main__":
    main(sys.argv[1])
