"""Record tests/traces/tf-loop: TensorFlow programs whose steps are iterations of a loop inside the graph.

Three loops, one after the other, each of five iterations: a functional While and a functional For, run as ops,
and a `for` over a tensor in a `tf.function`.  Nothing marks a step from Python.

Usage: python tf_loop.py OUTPUT_DIRECTORY
"""

import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import tensorflow as tf

ITERATIONS = 5
SIZE = 192

COUNT = tf.TensorSpec((), tf.int32)
STATE = tf.TensorSpec((SIZE, SIZE), tf.float32)


def update(state):
    return tf.nn.tanh(tf.matmul(state, state) * 0.01 + state)


@tf.function
def graph_loop(state):
    for _ in tf.range(ITERATIONS):
        state = update(state)
    return state


def make_while():
    cond = tf.function(lambda i, state: i < ITERATIONS).get_concrete_function(COUNT, STATE)
    body = tf.function(lambda i, state: (i + 1, update(state))).get_concrete_function(COUNT, STATE)
    run = lambda state: tf.raw_ops.While(input=[tf.constant(0), state], cond=cond, body=body)
    return tf.function(run)


def make_for():
    body = tf.function(lambda i, state: update(state)).get_concrete_function(COUNT, STATE)
    run = lambda state: tf.raw_ops.For(start=0, limit=ITERATIONS, delta=1, input=[state], body=body)
    return tf.function(run)


def main(out_dir):
    state = tf.random.stateless_normal((SIZE, SIZE), seed=(0, 1))
    loops = (make_while(), make_for(), graph_loop)
    for loop in loops:
        loop(state)
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=0, device_tracer_level=0)
    tf.profiler.experimental.start(out_dir, options)
    for loop in loops:
        loop(state)
    tf.profiler.experimental.stop()


if __name__ == "__main__":
    main(sys.argv[1])
