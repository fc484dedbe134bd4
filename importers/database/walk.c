#include "walk.h"
#include "model/store/facts/notes.h"

bool walk_table(struct database *d, const struct row_table *t, const char *name, void *reader, struct notes *notes)
{
	struct rows r;
	bool any = false, there = rows_begin(&r, d, name, t->columns, t->n_columns, t->only);
	for (; there && rows_next(&r); any = true) {
		if (notes)
			notes->entries++;
		t->take(reader, &r);
	}
	if (!rows_end(&r) && notes && !database_cancelled(d))
		notes_add(notes, NOTE_DAMAGED_REGION, -1, 1);
	return any;
}

bool table_has_rows(struct database *d, const char *name)
{
	static const char *const any_column[] = {"id"};
	struct rows r;
	bool any = rows_begin(&r, d, name, any_column, 1, NULL) && rows_next(&r);
	rows_end(&r);
	return any;
}
