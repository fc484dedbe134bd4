"""Record tests/traces/tf-data-tree: a training loop that waits for a deep tf.data pipeline.

Records of four TFRecord files are interleaved, parsed by a parallel map, shuffled, batched, augmented by a
sequential map and prefetched; the augmentation sleeps about 6 ms per batch, longer than a training step.

Usage: python tf_data_tree.py OUTPUT_DIRECTORY
"""

import os
import sys
import tempfile
import time

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf

STEPS, WARMUP = 6, 3
FILES, BATCH, FEATURES, CLASSES = 4, 8, 64, 10
AUGMENT_SECONDS = 0.006


def example(rng):
    x = tf.train.Feature(float_list=tf.train.FloatList(value=rng.standard_normal(FEATURES)))
    y = tf.train.Feature(int64_list=tf.train.Int64List(value=[int(rng.integers(0, CLASSES))]))
    return tf.train.Example(features=tf.train.Features(feature={"x": x, "y": y})).SerializeToString()


def write_files(folder):
    rng = np.random.default_rng(0)
    names = [os.path.join(folder, f"part-{i}.tfrecord") for i in range(FILES)]
    for name in names:
        with tf.io.TFRecordWriter(name) as writer:
            for _ in range((STEPS + WARMUP + 6) * BATCH // FILES):
                writer.write(example(rng))
    return names


def parse(record):
    parsed = tf.io.parse_single_example(
        record, {"x": tf.io.FixedLenFeature([FEATURES], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}
    )
    return parsed["x"], parsed["y"]


def slow_augment(x):
    time.sleep(AUGMENT_SECONDS)
    return x[:, ::-1]


def augment(x, y):
    x = tf.numpy_function(slow_augment, [x], tf.float32, name="slow_augment")
    x.set_shape((BATCH, FEATURES))
    return x, y


def make_dataset(names):
    data = tf.data.Dataset.from_tensor_slices(names)
    data = data.interleave(tf.data.TFRecordDataset, cycle_length=2, num_parallel_calls=2)
    data = data.map(parse, num_parallel_calls=2).shuffle(32, seed=1)
    return data.batch(BATCH, drop_remainder=True).map(augment).prefetch(1)


def make_train_step():
    weights = tf.Variable(tf.random.stateless_normal((FEATURES, CLASSES), seed=(0, 1)))

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            logits = tf.matmul(x, weights)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    return train_step


def record(out_dir, names):
    train_step = make_train_step()
    batches = iter(make_dataset(names))
    for _ in range(WARMUP):
        train_step(*next(batches))
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=0, device_tracer_level=0)
    tf.profiler.experimental.start(out_dir, options)
    for step in range(1, STEPS + 1):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(*next(batches))
    tf.profiler.experimental.stop()


def main(out_dir):
    with tempfile.TemporaryDirectory() as folder:
        record(out_dir, write_files(folder))


if __name__ == "__main__":
    main(sys.argv[1])
