"""Record tests/traces/tf-retrace: a `tf.function` that is traced again when the batch gets another shape.

Eight `train` steps; the batches of steps 4 and 7 have shapes not seen before.  The function is compiled by XLA
(`jit_compile=True`), so these steps hold tracing and compilation.

Usage: python tf_retrace.py OUTPUT_DIRECTORY
"""

import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import tensorflow as tf

SHORT, LONG = {4: 24, 7: 16}, 32
STEPS, FEATURES, CLASSES = 8, 64, 10


@tf.function(jit_compile=True)
def train_step(weights, x):
    with tf.GradientTape() as tape:
        tape.watch(weights)
        loss = tf.reduce_mean(tf.square(tf.nn.relu(tf.matmul(x, weights))))
    return weights - 0.01 * tape.gradient(loss, weights), loss


def batch(rows):
    return tf.random.stateless_normal((rows, FEATURES), seed=(rows, 1))


def main(out_dir):
    weights = tf.random.stateless_normal((FEATURES, CLASSES), seed=(0, 1))
    batches = [batch(SHORT.get(step, LONG)) for step in range(1, STEPS + 1)]
    weights, _ = train_step(weights, batches[0])
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=0, device_tracer_level=0)
    tf.profiler.experimental.start(out_dir, options)
    for step, x in enumerate(batches, 1):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            weights, loss = train_step(weights, x)
            loss.numpy()
    tf.profiler.experimental.stop()


if __name__ == "__main__":
    main(sys.argv[1])
