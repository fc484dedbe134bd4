/* tui/report/report_svg.c - the picture alone, with the five lines above it. */
#include "formats.h"
#include "svg.h"

void report_svg(struct content *c, FILE *f)
{
	const char *head[] = {c->looked_at, c->verdict, c->numbers, NULL}, *foot[] = {c->ledger, c->command, NULL};
	svg_write(f, c->picture, c->title, head, foot, &c->mem);
}
