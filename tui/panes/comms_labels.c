#include "comms_labels.h"
#include "model/analysis/comms/replicas_columns.h"
#include "tui/text/labels.h"
#include "tui/text/utf8.h"
#include <stdio.h>
#include <string.h>

enum { LEAST_COLS = 9 };

bool comms_rank_has_several(const struct table *t, uint32_t row)
{
	int64_t rank = column_int(t, row, COL_REPLICAS_RANK);
	return (row && column_int(t, row - 1, COL_REPLICAS_RANK) == rank) ||
	       (row + 1 < t->n_rows && column_int(t, row + 1, COL_REPLICAS_RANK) == rank);
}

/* What a device's label says after its rank, which it tells where there are several. */
static const char *behind_rank(const char *device, int64_t rank)
{
	char begin[32];
	int n = snprintf(begin, sizeof begin, "rank %lld ", (long long)rank);
	return strncmp(device, begin, (size_t)n) ? device : device + n;
}

const char *comms_label(const struct table *t, uint32_t row, char *buf, size_t size)
{
	const char *device = column_text(t, row, COL_REPLICAS_DEVICE);
	int64_t rank = column_int(t, row, COL_REPLICAS_RANK);
	const char *own = device && rank != UNKNOWN_I64 ? behind_rank(device, rank) : device;
	if (rank == UNKNOWN_I64)
		snprintf(buf, size, "%s", device ? device : "-");
	else if (own && comms_rank_has_several(t, row))
		snprintf(buf, size, "r%lld %s", (long long)rank, own);
	else
		snprintf(buf, size, "rank %lld", (long long)rank);
	return buf;
}

int comms_label_cols(const struct table *t, int room)
{
	int most = LEAST_COLS;
	char label[COMMS_LABEL];
	for (uint32_t row = 0; row < t->n_rows && most < room; row++) {
		if (column_int(t, row, COL_REPLICAS_RANK) != UNKNOWN_I64)
			continue;
		int cols = utf8_width(comms_label(t, row, label, sizeof label)) + 1;
		most = cols > most ? cols : most;
	}
	return most > room && room > LEAST_COLS ? room : most;
}

const char *comms_label_within(const struct table *t, uint32_t row, int cols, char *buf, size_t size)
{
	char label[COMMS_LABEL], host[COMMS_LABEL];
	size_t n = (size_t)(device_label_own(comms_label(t, row, label, sizeof label)) - label);
	int room = cols - utf8_width(label + n) - 1;
	if (utf8_width(label) <= cols || !n || room < 1) {
		snprintf(buf, size, "%s", label);
		return buf;
	}
	label[n - 1] = 0;
	snprintf(buf, size, "%s %s", utf8_shorten(label, room, host, sizeof host), label + n);
	return buf;
}
