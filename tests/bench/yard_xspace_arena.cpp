/*
 * yard_xspace_arena - yardstick: parse a whole XSpace with Google's protobuf for C++ into an arena and walk it; prints events and stats.
 * Build:  protoc --cpp_out=. xspace_min.proto && c++ -O2 -o yard_xspace_arena yard_xspace_arena.cpp xspace_min.pb.cc -lprotobuf
 * Usage:  yard_xspace_arena FILE.xplane.pb
 */
#include "xspace_min.pb.h"
#include <cstdio>
#include <fcntl.h>
#include <google/protobuf/arena.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct stat s;
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	if (fd < 0 || fstat(fd, &s)) {
		fprintf(stderr, "usage: yard_xspace_arena FILE\n");
		return 2;
	}
	void *m = mmap(nullptr, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	google::protobuf::ArenaOptions options;
	options.start_block_size = options.max_block_size = 1 << 20;
	google::protobuf::Arena arena(options);
	auto *x = google::protobuf::Arena::CreateMessage<xs::Space>(&arena);
	if (m == MAP_FAILED || !x->ParseFromArray(m, (int)s.st_size)) {
		fprintf(stderr, "cannot read %s\n", argv[1]);
		return 1;
	}
	size_t events = 0, stats = 0;
	for (const auto &plane : x->planes())
		for (const auto &line : plane.lines()) {
			events += (size_t)line.events_size();
			for (const auto &event : line.events())
				stats += (size_t)event.stats_size();
		}
	printf("events %zu stats %zu\n", events, stats);
	fflush(stdout);
	_exit(0); /* freeing is not part of the yardstick */
}
