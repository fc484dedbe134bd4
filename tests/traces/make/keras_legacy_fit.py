"""Record tests/traces/keras-legacy-fit: `Model.fit` of Keras 2 (`tf_keras`), which marks its steps itself.

The second epoch is recorded: eight `train` steps (`epoch_num`, `step_num`, `batch_size`), then four `test` steps.
A metrics callback computes on the host at the end of every fourth step; Keras calls it inside the marker.

Usage: python keras_legacy_fit.py OUTPUT_DIRECTORY
"""

import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf
import tf_keras as keras

RECORDED_EPOCH = 1
STEPS, TEST_STEPS = 8, 4
METRICS_EVERY = 4
BATCH, FEATURES, CLASSES = 32, 64, 10


class Recorder(keras.callbacks.Callback):
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


class Metrics(keras.callbacks.Callback):
    """Host work at the end of a step."""

    def on_train_batch_end(self, batch, logs=None):
        if (batch + 1) % METRICS_EVERY == 0:
            with tf.profiler.experimental.Trace("Callback::compute_metrics"):
                np.linalg.svd(np.random.default_rng(batch).standard_normal((120, 120)))


def make_data(batches):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((batches * BATCH, FEATURES)).astype(np.float32)
    y = rng.integers(0, CLASSES, batches * BATCH)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH, drop_remainder=True)


def make_model():
    hidden = keras.layers.Dense(128, activation="relu", name="hidden")
    model = keras.Sequential([keras.layers.Input((FEATURES,)), hidden, keras.layers.Dense(CLASSES, name="logits")])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer=keras.optimizers.SGD(0.01), loss=loss)
    return model


def main(out_dir):
    callbacks = [Recorder(out_dir), Metrics()]
    make_model().fit(make_data(STEPS), epochs=2, validation_data=make_data(TEST_STEPS), callbacks=callbacks, verbose=0)


if __name__ == "__main__":
    main(sys.argv[1])
