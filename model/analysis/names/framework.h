/* model/analysis/names/framework.h - which framework a program was written with, by names that only its runtime uses. */
#ifndef STEPSCOPE_FRAMEWORK_H
#define STEPSCOPE_FRAMEWORK_H
#include "model/store/trace/trace.h"

enum framework { FRAMEWORK_UNKNOWN, FRAMEWORK_TENSORFLOW, FRAMEWORK_JAX, FRAMEWORK_PYTORCH, FRAMEWORKS };
enum framework framework_of(const struct trace *t);
const char *framework_name(enum framework f); /* "TensorFlow"; NULL for unknown */
#endif
