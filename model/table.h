/* model/table.h - the one shape of every answer: typed columns, rows, and for each row where its evidence lies.
 * Owner: the arena it was made in. Cells are addressed row-major. Unknown is null, never 0. */
#ifndef STEPSCOPE_TABLE_H
#define STEPSCOPE_TABLE_H
#include "model/store/base/arena.h"
#include "model/store/trace/trace.h"
#include <stdbool.h>
#include <stdint.h>

enum cell_type { CELL_INT, CELL_REAL, CELL_TEXT, CELL_BOOL };
enum unit {
	UNIT_NONE,
	UNIT_NS,
	UNIT_BYTES,
	UNIT_PERCENT,
	UNIT_COUNT,
	UNIT_BYTES_PER_S,
	UNIT_FLOPS,
	UNIT_ID,
	UNIT_CONFIDENCE, /* 0 to 1: people read two digits; no unit to scripts */
	UNIT_UNITS
};
const char *unit_name(enum unit u); /* "none", "ns", "bytes", "percent", "count", "bytes_per_s", "flops", "id" */

struct column {
	const char *name; /* what scripts rely on */
	enum cell_type type;
	enum unit unit;
	const char *help; /* meaning, rule and source of the formula in one or two sentences */
};
/* Some columns of a table, by their places in its list: the enum that stands beside the columns. n 0: none named. */
struct column_list {
	const uint8_t *at;
	uint32_t n;
};
#define COLUMN_LIST(...)                                                               \
	{                                                                              \
		(const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}) \
	}

struct derived;
struct query;
struct progress;
/* Pure function of (derived, query) -> one table in `mem`; NULL and err on failure or cancel.
 * Windows: sums of time are clipped to [a, b) and additive; counts, min, max, avg use events that start inside. */
typedef struct table *table_run(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e);
/* All there is to say of a table before it is made, once, beside its columns. Panes, reports, the command line, help and
 * manual read it here. */
struct table_desc {
	const char *name, *title; /* what scripts say; what people read */
	const char *help;         /* one line: what it is for */
	/* The words that its rows can be grouped by, i = 0, 1, ...: NULL after the last. NULL: they cannot. */
	const char *(*by)(unsigned i);
	const struct column *cols;
	uint32_t n_cols;
	struct column_list
		first; /* what people look at first, shown where there is little room; none: the table's order */
	/* How many of `first` stay on the screen while the others scroll: what names the row, and what the table is for.
	 * 0: one. */
	uint32_t lead;
	struct {
		const char *intro;              /* beside the title; NULL: none */
		struct column_list brief, wide; /* columns of short and of wide reports; none: all */
		struct column_list sort; /* one column: its largest stay when rows must go; none: the first rows */
		bool all_rows;           /* facts, not a ranking: nothing is left out or shortened */
	} report;
	struct {
		struct column_list
			key; /* what tells a row from the others, in other runs too; none: rows have no counterparts */
		struct column_list sums;        /* what may be added up over rows; the first one ranks */
		const struct shared_part *rows; /* a struct table that has the columns above in fewer rows, without
						   evidence: enough to be compared; NULL: the table itself is */
		bool last_may_change; /* the last key may be another one where those before it are equal: same op, other kernel */
		bool of_job;   /* all ranks together tell more of it than one by itself (compare/rank_side.h) */
		bool whole;    /* as they are, rather than per step: peaks, means */
		bool all_time; /* of all of the window, not of steady steps alone: each row is of one kind of step */
		struct column_list
			of_all; /* one column: it reads "all" in the rows that are compared, others are of single steps */
		const char *why_not; /* without a key: why, and where else to look: "single gaps have none: ..." */
	} vs;                        /* beside another run */
	table_run *run;
};
#define TABLE_COLUMNS(columns) .cols = columns, .n_cols = sizeof(columns) / sizeof *(columns)
/* Declares the descriptor of the table `id`. */
#define TABLE_DECL(id) extern const struct table_desc id##_desc

struct cell {
	union {
		int64_t i;
		double r;
		const char *s;
		bool b;
	};
	bool null;
	enum unit unit : 8;      /* 0 = the column's; key/value tables give each row's own */
	enum cell_type type : 8; /* key/value tables: type of this cell; elsewhere the column's */
};                               /* 16 bytes: the events table has a dozen of them per event */
struct evidence {
	int64_t a_ns, b_ns; /* window to show; a == b means none */
	const row_id *rows; /* events, most important first */
	uint32_t n;
	const struct finding_inputs *inputs; /* of a finding: what it was judged by, see finding.h; else NULL */
};
/* A row as its maker gives it: cells start as nulls, evidence as none. `events` is room for evidence.rows. */
enum { MADE_EVENTS = 4 };
struct made_row {
	struct cell *cells;
	struct evidence evidence;
	row_id events[MADE_EVENTS];
};
/* The same row gives the same answer every time. Texts lie in the trace or in an arena, as everywhere. */
typedef void make_row(const void *ctx, uint32_t row, struct made_row *out);
struct row_maker;

struct table {
	struct arena *mem;
	const struct table_desc *desc; /* NULL: a table of its maker's own */
	const char *name, *title;
	const struct column *cols;
	uint32_t n_cols;
	uint32_t n_rows, cap_rows;
	struct cell *cells;
	struct evidence *evidence; /* one per row */
	struct row_maker *maker;   /* rows are made when they are read; cells and evidence are NULL then */
	int sort_col;              /* default sort, -1 = as computed */
	bool sort_desc;
	int64_t window_a_ns, window_b_ns;
	const char *why_empty; /* why it has no rows, where more is known than that there are none; else NULL */
};

/* Empty, as the descriptor says. */
struct table *table_new(struct arena *mem, const struct table_desc *desc);
/* The same with other columns than the descriptor's. cols must outlive the table, here and below. */
struct table *table_with(struct arena *mem, const struct table_desc *desc, const struct column *cols, uint32_t n_cols);
/* Without a descriptor. */
struct table *table_bare(struct arena *mem, const char *name, const char *title, const struct column *cols,
			 uint32_t n_cols);
/* Empty, with the name, title, window and default sort of `like`: for tables that say the same in other words. */
struct table *table_like(struct arena *mem, const struct table *like, const struct column *cols, uint32_t n_cols);
/* The same rows with texts, columns and evidence of their own: needs nothing of `t` any more. */
struct table *table_copy(const struct table *t, struct arena *mem);
/* Appends a row of nulls; the pointer is valid until the next table_row. Column c of it: &row[c]. */
struct cell *table_row(struct table *t);
/* Room for n rows in all, so that large tables are not copied while they grow. */
void table_reserve(struct table *t, uint32_t n);
void cell_int(struct cell *c, int64_t v);      /* UNKNOWN_I64 gives null */
void cell_real(struct cell *c, double v);      /* NaN gives null */
void cell_text(struct cell *c, const char *s); /* kept, not copied: arena or string-table memory; NULL gives null */
void cell_bool(struct cell *c, bool v);
void cell_unit(struct cell *c, enum unit u); /* key/value tables */
/* Evidence of the last row. rows are copied into the arena. */
void table_evidence(struct table *t, int64_t a_ns, int64_t b_ns, const row_id *rows, uint32_t n);
/* Instead of table_row: n rows that `make` fills when they are read, so that an answer of millions of rows takes neither
 * memory nor time until it is read. ctx must live as long as the table; such a table is read by one thread at a time. */
void table_made(struct table *t, uint32_t n, make_row *make, const void *ctx);
/* The same where some columns cost far more than others: each part makes its columns, and only when one of them is read,
 * so that who looks through all rows for a few columns never pays for the others. Columns that no part names belong to the
 * last one, which makes the evidence, too. A part reads no cells of another one. `parts` must live as long as the table. */
enum { PART_COLUMNS = 64 }; /* those that a part can name */
#define PART_BIT(column) (UINT64_C(1) << (column))
struct row_part {
	make_row *make;
	uint64_t columns; /* PART_BIT of each */
	bool late;        /* costs far more than the others, see table_is_late */
};
/* Beside the parts: cells of INT and BOOL columns (0 or 1) or of TEXT columns in a set, for who reads a column of many rows (table_numbers,
 * table_texts) and needs none of the rest; UNKNOWN_I64 and NULL: null. Any number of threads at a time. */
typedef void made_numbers(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, int64_t *out);
typedef void made_texts(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, const char **out);
void table_made_parts(struct table *t, uint32_t n, const struct row_part *parts, uint32_t n_parts, const void *ctx);
void table_made_numbers(struct table *t, made_numbers *numbers, uint64_t columns);
void table_made_texts(struct table *t, made_texts *texts, uint64_t columns);
/* The columns of a set are 0 in every row: most parts of most traces are, and who adds up need not read them (table_is_zero). */
void table_made_zeros(struct table *t, uint64_t columns);
/* Of TEXT columns in a set, where they are known, numbers from 0 on in the order of the texts: of equal texts the same. */
void table_made_ranks(struct table *t, made_numbers *ranks, uint64_t columns);
/* The rows of `base`, whose cells are read there: column c is its column from[c]; NONE_ID: `make` makes that cell. */
void table_over(struct table *t, const struct table *base, const uint32_t *from, make_row *make, const void *ctx);
uint32_t *table_same_columns(const struct table *base, struct arena *mem); /* such a list: each column is itself */
/* The same with the rows in the order in which they stand in `like`, a table over `base`; nothing is made. */
void table_over_in_order(struct table *t, const struct table *base, const uint32_t *from, const struct table *like);
/* Not to be asked for in every row of a long table. */
bool table_is_late(const struct table *t, uint32_t col);
/* The rows of t as they stand now, also when t is sorted later: for tables that are made of it. t must outlive it. */
const struct table *table_view(const struct table *t, struct arena *mem);
/* Valid until another row is read (rows that are made) or the table changes. */
const struct cell *table_cell(const struct table *t, uint32_t row, uint32_t col);
/* One column in n rows, cheaper than cell by cell where rows are made: of an INT or BOOL column (0 or 1; UNKNOWN_I64 = null), and of a TEXT
 * column (NULL = null). */
void table_numbers(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, int64_t *out);
void table_texts(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, const char **out);
/* Known without a look at any row: the column's cells are 0, all of them. */
bool table_is_zero(const struct table *t, uint32_t col);
/* Of a TEXT column in n rows, numbers from 0 on in the order of the texts' bytes, for who brings equal texts together: of equal texts the same.
 * NULL counts as "". */
void table_ranks(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, int64_t *out);
int64_t
cell_int_known(const struct cell *c); /* as table_numbers tells it; a text is 1, as "part" in a table for people */
const char *cell_text_known(const struct cell *c); /* as table_texts tells it */
/* All of the row, for who goes through a long table once: valid until another row is read in this way. */
const struct cell *table_cells(const struct table *t, uint32_t row);
/* The same into `cells`, n_cols of them: to keep. */
void table_read(const struct table *t, uint32_t row, struct cell *cells);
const struct evidence *table_evidence_of(const struct table *t, uint32_t row);
int table_column(const struct table *t, const char *name); /* -1 when absent */
/* Where column `id` of its descriptor stands in this table; -1 when it has none. */
int table_place(const struct table *t, uint32_t id);
/* What people look at first, as places in this table: into `out`, at most `room`; gives how many. cut: the window may cut
 * rows, which some tables say in a column of its own. */
uint32_t table_first(const struct table *t, bool cut, uint32_t *out, uint32_t room);

bool cell_type_is_number(enum cell_type type);
/* A table of keys and values: "key" first, then what is said of each. */
bool table_is_keys(const struct table *t);
int64_t cell_whole(const struct cell *c); /* of an INT or REAL that is not null, rounded */

/* Stable sort by one column: nulls last, digits inside texts count as numbers (step 9 before step 10). Evidence moves
 * along. table_top keeps the first `top` rows (0 = all). */
void table_sort(struct table *t, int col, bool desc);
/* How table_sort orders two cells of one column: below, at or above 0. */
int table_order(const struct cell *a, const struct cell *b, bool desc);
void table_top(struct table *t, uint32_t top);
/* What a person reads: unit applied ("1.204 ms", "37.5 %"), "-" for null. buf of any size >= 64; long text is not cut:
 * returns either buf or the cell's own text. */
const char *cell_format(const struct table *t, uint32_t row, uint32_t col, char *buf, size_t size);
#endif
