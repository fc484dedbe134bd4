/* tui/panes/comms_labels.h - what the pane Comms calls a row of the table replicas. No function keeps what it is given. */
#ifndef STEPSCOPE_COMMS_LABELS_H
#define STEPSCOPE_COMMS_LABELS_H
#include "model/table.h"

enum { COMMS_LABEL = 256 }; /* bytes that hold every label */

/* Whether the row's rank has more than one row: rows of a rank stand together. */
bool comms_rank_has_several(const struct table *replicas, uint32_t row);
/* "rank 3", "r3 GPU 1" or "r3 TPU 1" where a rank has several, "GPU 1" or "hostA GPU 1" where there are no ranks. Returns buf. */
const char *comms_label(const struct table *replicas, uint32_t row, char *buf, size_t size);
/* The same in at most `cols` columns: of a host with a long name both ends stay, and the number of its GPU. Returns buf. */
const char *comms_label_within(const struct table *replicas, uint32_t row, int cols, char *buf, size_t size);
/* Columns of the labels with a blank after them: what the longest host without a rank asks for, at most `room`, but enough for
 * a rank at any rate. */
int comms_label_cols(const struct table *replicas, int room);
#endif
