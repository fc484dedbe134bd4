/* tui/cli/cli_vs.h - `stepscope table NAME A --vs B`: the rows of one table in two runs. */
#ifndef STEPSCOPE_CLI_VS_H
#define STEPSCOPE_CLI_VS_H
#include "cli_open.h"

/* Before the import: whether the table's rows have counterparts in another run. */
bool cli_vs_known(const struct cli *c, const struct table_desc *desc, struct err *e);
/* q: the question to the run of `o`; the other one is opened for it and closed. In `mem`. NULL with `e`. */
struct table *cli_vs_table(const struct cli *c, const struct opened *o, const struct table_desc *desc,
			   const struct query *q, struct arena *mem, struct err *e);
#endif
