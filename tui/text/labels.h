/* tui/text/labels.h - what devices and tracks are called on screens, in sentences and in tables. */
#ifndef STEPSCOPE_LABELS_H
#define STEPSCOPE_LABELS_H
#include "model/analysis/derived/derived.h"

/* "rank 3 GPU 3", "stream 7", "main 4242": clean text in `mem`. redact: names of hosts and threads become hashes. */
const char *device_label(const struct derived *d, uint32_t device, bool redact, struct arena *mem);
const char *track_label(const struct derived *d, uint32_t track, bool redact, struct arena *mem);
/* Where "GPU 0" of the device's label "some host GPU 0" begins; the label itself where nothing stands before it. */
const char *device_label_own(const char *label);
#endif
