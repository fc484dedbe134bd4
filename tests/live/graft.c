/* tests/live/graft.c - graft PID LIBRARY: puts the library into a running process. */
#include "../../live/graft.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct err e = {0};
	char text[600];
	if (argc == 3 && graft_library(atoi(argv[1]), argv[2], &e))
		return 0;
	fprintf(stderr, "%s\n", err_text(&e, text, sizeof text));
	return 1;
}
