#include "block.h"
#include <inttypes.h>
#include "model/analysis/derived/rows.h"
#include "model/analysis/names/allocation_names.h"
#include "model/store/base/arena.h"
#include "model/store/base/units.h"

const char *block_op(const struct derived *d, const struct replay *x, uint32_t place)
{
	const struct allocator_state *s = replay_state(x, place);
	const struct columns *c = trace_columns(x->t);
	const char *innermost = "", *around = "";
	if (s && s->op)
		return trace_str(x->t, s->op);
	for (row_id r = parent_of(d, replay_event(x, place)); r != NONE_ID; r = parent_of(d, r)) {
		const char *name = trace_str(x->t, c->name[r]);
		around = *around || row_is_marker(d, r) ? around : name;
		if (c->kind[r] != KIND_OP)
			continue;
		if (!op_only_allocates(name))
			return name;
		innermost = *innermost ? innermost : name;
	}
	return *innermost ? innermost : around;
}

const char *block_type(const struct replay *x, uint32_t place)
{
	/* tensorflow/core/framework/types.proto */
	static const char *const names[] = {NULL,         "float",  "double",    "int32",   "uint8",   "int16",
					    "int8",       "string", "complex64", "int64",   "bool",    "qint8",
					    "quint8",     "qint32", "bfloat16",  "qint16",  "quint16", "uint16",
					    "complex128", "half",   "resource",  "variant", "uint32",  "uint64"};
	const struct allocator_state *s = replay_state(x, place);
	return s && s->data_type >= 0 && s->data_type < (int64_t)(sizeof names / sizeof *names) ? names[s->data_type]
												: NULL;
}

unsigned size_class(int64_t bytes)
{
	return bytes > 0 ? 64 - (unsigned)__builtin_clzll((uint64_t)bytes) : 0;
}

const char *size_class_words(unsigned class, struct arena *mem)
{
	char from[UNITS_BUF], to[UNITS_BUF];
	if (class == 0)
		return "0 B";
	fmt_bytes(from, (int64_t)1 << (class - 1));
	if (class >= 63)
		return arena_printf(mem, "%s and more", from);
	return arena_printf(mem, "%s up to %s", from, fmt_bytes(to, (int64_t)1 << class));
}
