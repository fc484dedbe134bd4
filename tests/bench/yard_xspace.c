/*
 * yard_xspace - yardstick: unpack a whole XSpace with protobuf-c and walk it; prints events and stats.
 * Build:  protoc-c --c_out=. xspace_min.proto && cc -O2 -o yard_xspace yard_xspace.c xspace_min.pb-c.c -lprotobuf-c
 * Usage:  yard_xspace FILE.xplane.pb
 */
#include "xspace_min.pb-c.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: yard_xspace FILE\n");
		return 2;
	}
	int fd = open(argv[1], O_RDONLY);
	struct stat s;
	if (fd < 0 || fstat(fd, &s)) {
		perror(argv[1]);
		return 1;
	}
	void *m = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (m == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	Xs__Space *x = xs__space__unpack(NULL, (size_t)s.st_size, m);
	if (!x) {
		fprintf(stderr, "cannot unpack\n");
		return 1;
	}
	size_t ev = 0, st = 0;
	for (size_t i = 0; i < x->n_planes; i++)
		for (size_t j = 0; j < x->planes[i]->n_lines; j++) {
			Xs__Line *l = x->planes[i]->lines[j];
			ev += l->n_events;
			for (size_t k = 0; k < l->n_events; k++)
				st += l->events[k]->n_stats;
		}
	printf("events %zu stats %zu\n", ev, st);
	fflush(stdout);
	_Exit(0); /* freeing is not part of the yardstick */
}
