/* live/inject/cupti/kinds.h - our kinds of records as CUPTI's. */
#ifndef STEPSCOPE_INJECT_KINDS_H
#define STEPSCOPE_INJECT_KINDS_H
#include "cupti.h"

/* Enables bits 1 << enum wire_kind. is_late: devices, contexts and streams may exist already, CUPTI shall tell them (not
 * while the driver starts up). Returns the bits that worked; *first receives the first refusal or CUPTI_OK. */
uint32_t kinds_enable(const struct cupti *c, uint32_t kinds, bool is_late, cupti_result *first);
void kinds_disable(const struct cupti *c, uint32_t kinds);
#endif
