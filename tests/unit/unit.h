/* tests/unit/unit.h - cmocka with what it needs before it. */
#ifndef STEPSCOPE_UNIT_H
#define STEPSCOPE_UNIT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#endif
