/* tests/fuzz/fuzz_database.c - any bytes as an SQLite file of anybody's: every table is read, by the names of the columns that Nsight Systems
 * uses, and looked up. Its mutator changes them by SQL, too. */
#include <stdlib.h>
#include "importers/database/database.h"
#include "mutate_database.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const unsigned fuzz_every;

const unsigned fuzz_every = 8;
const struct row_table *const fuzz_known[] = {NULL};

static void read_table(struct database *d, const char *table)
{
	static const char *const columns[] = {"start", "end", "id", "value", "name", "text", "globalTid", "guid"};
	enum { COLUMNS = sizeof columns / sizeof *columns };
	struct rows r;
	int64_t whole;
	double real;
	bool any = rows_begin(&r, d, table, columns, COLUMNS, NULL);
	while (any && rows_next(&r))
		for (int i = 0; i < COLUMNS; i++) {
			struct span s = rows_text(&r, i);
			if ((s.p != NULL) + rows_int(&r, i, &whole) > 1)
				abort(); /* a value has one type */
			rows_real(&r, i, &real);
		}
	rows_end(&r);
	struct lookup *l = lookup_new(d, table, "id", "value");
	for (int64_t key = -1; l && key < 8; key++)
		lookup_text(l, key);
	lookup_free(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source *s = source_memory(data, size, "fuzz.sqlite");
	struct err e;
	struct database *d = s ? database_open(s, NULL, &e) : NULL;
	const char *table;
	for (uint32_t i = 0; d && (table = database_table(d, i)); i++)
		read_table(d, table);
	database_close(d);
	source_close(s);
	return 0;
}
