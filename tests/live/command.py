"""The program itself on the stand-ins: what it is started with, and what it wrote."""
import os
import subprocess
import tempfile

from viewer import environment
from harness import STEPSCOPE, TIMEOUT_S, scratch


def env(**more):
    """Of a stepscope that starts the target: it arms it by itself."""
    runtime = tempfile.mkdtemp(prefix="live")
    return environment(runtime, CUDA_INJECTION64_PATH=None, XDG_CACHE_HOME=scratch("cache"), XDG_CONFIG_HOME=scratch("config"), **more)


def begun(*words, env):
    """The program, running, with pipes to its command."""
    return subprocess.Popen([STEPSCOPE, *words], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(*words, env, stdin=b""):
    done = subprocess.run([STEPSCOPE, *words], env=env, capture_output=True, input=stdin, timeout=TIMEOUT_S)
    return done.returncode, done.stdout.decode(), done.stderr.decode()
