"""Record tests/traces/keras-fit: `Model.fit` of Keras with a validation pass, profiled by a callback.

The callback records the whole second epoch: eight `train` steps, a batch callback that computes
after every fourth of them, and four `test` steps.  Keras 3 marks none of them.  The first epoch compiles, outside of the window.

Usage: python keras_fit.py OUTPUT_DIRECTORY
"""

import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf

RECORDED_EPOCH = 1
STEPS, TEST_STEPS = 8, 4
SLOW_EVERY = 4
BATCH, FEATURES, CLASSES = 32, 64, 10


class Recorder(tf.keras.callbacks.Callback):
    """Profile one epoch, validation included."""

    def __init__(self, out_dir):
        super().__init__()
        self.out_dir = out_dir

    def on_epoch_begin(self, epoch, logs=None):
        if epoch == RECORDED_EPOCH:
            options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=0, device_tracer_level=0)
            tf.profiler.experimental.start(self.out_dir, options)

    def on_epoch_end(self, epoch, logs=None):
        if epoch == RECORDED_EPOCH:
            tf.profiler.experimental.stop()


class WeightNorms(tf.keras.callbacks.Callback):
    """Host work between two steps, every SLOW_EVERY batches."""

    def on_train_batch_end(self, batch, logs=None):
        if (batch + 1) % SLOW_EVERY == 0:
            with tf.profiler.experimental.Trace("weight_norms"):
                np.linalg.svd(np.random.default_rng(batch).standard_normal((120, 120)))


def make_data(batches):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((batches * BATCH, FEATURES)).astype(np.float32)
    y = rng.integers(0, CLASSES, batches * BATCH)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH, drop_remainder=True)


def make_model():
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Input((FEATURES,)),
            tf.keras.layers.Dense(128, activation="relu", name="hidden"),
            tf.keras.layers.Dense(CLASSES, name="logits"),
        ]
    )
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer="adam", loss=loss, metrics=["accuracy"])
    return model


def main(out_dir):
    callbacks = [Recorder(out_dir), WeightNorms()]
    make_model().fit(make_data(STEPS), epochs=2, validation_data=make_data(TEST_STEPS), callbacks=callbacks, verbose=0)


if __name__ == "__main__":
    main(sys.argv[1])
