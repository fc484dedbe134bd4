/* tests/fuzz/regress.c - runs a fuzz target over its kept corpus as an ordinary test: each file as it is, cut at every
 * byte (large files: at evenly spread bytes), with bytes changed from a fixed seed, and, where the target has a mutator,
 * changed by that. The target's name is the program's own name without "fuzz_"; its corpus is tests/fuzz/corpus/<name>.
 * TAP: one line per file.
 * A target whose runs take milliseconds defines fuzz_every, and has one of so many cuts and changes. */
#include <dirent.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

__attribute__((weak)) extern const unsigned fuzz_every;

enum { MAX_CUTS = 1024, FLIPS = 256, MUTANTS = 256, MOST_MUTATIONS = 4, GROWTH = 64 << 10 };

/* An exact-size heap copy per run, so that a sanitizer sees every byte read after the end. */
static void run_copy(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static unsigned every(void)
{
	return &fuzz_every ? fuzz_every : 1;
}

static void run_cuts(const uint8_t *data, size_t size)
{
	size_t cuts = size < MAX_CUTS ? size : MAX_CUTS;

	for (size_t i = 0; i < cuts; i += every())
		run_copy(data, (size_t)((unsigned __int128)size * i / cuts));
}

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9E3779B97F4A7C15u);

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

/* Changes one byte at a time; bytes that steer parsers are tried as often as random ones. */
static void run_flips(uint8_t *data, size_t size)
{
	static const uint8_t telling[] = {0, 0x7f, 0x80, 0xff, '"', '\\', '{', '}', '[', ']', ',', ':', '-', '9'};
	uint64_t state = 1;

	for (unsigned i = 0; size && i < FLIPS; i += every()) {
		uint64_t r = next_random(&state);
		size_t at = (size_t)(r >> 16) % size;
		uint8_t was = data[at];

		data[at] = r & 1 ? telling[(r >> 1) % sizeof telling] : (uint8_t)(r >> 8);
		run_copy(data, size);
		data[at] = was;
	}
}

/* What a mutator asks its engine for. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	static uint64_t state = 2;
	uint64_t r = next_random(&state);

	(void)max_size;
	if (size)
		data[(size_t)(r >> 16) % size] ^= (uint8_t)(r % 255 + 1);
	return size;
}

static void run_mutants(const uint8_t *data, size_t size)
{
	size_t room = size + GROWTH;
	uint8_t *mutant = malloc(room);

	if (!mutant)
		abort();
	for (unsigned i = 0; i < MUTANTS; i++) {
		size_t n = size;

		memcpy(mutant, data, size);
		for (unsigned k = 0; k <= i % MOST_MUTATIONS; k++)
			n = LLVMFuzzerCustomMutator(mutant, n, room, i * MOST_MUTATIONS + k + 1);
		run_copy(mutant, n);
	}
	free(mutant);
}

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	long n = -1;
	uint8_t *data = NULL;

	if (!f)
		return NULL;
	if (fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) >= 0) {
		rewind(f);
		data = malloc((size_t)n + 1);
		if (data && fread(data, 1, (size_t)n, f) != (size_t)n) {
			free(data);
			data = NULL;
		}
	}
	fclose(f);
	*size = n > 0 ? (size_t)n : 0;
	return data;
}

static bool run_file(const char *path)
{
	size_t size;
	uint8_t *data = read_file(path, &size);

	if (!data)
		return false;
	run_copy(data, size);
	run_cuts(data, size);
	run_flips(data, size);
	if (LLVMFuzzerCustomMutator)
		run_mutants(data, size);
	free(data);
	return true;
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	const char *name = basename(argv[0]);
	char folder[512], path[1024];
	struct dirent **files = NULL;
	int n, bad = 0;

	(void)argc;
	name = strncmp(name, "fuzz_", 5) == 0 ? name + 5 : name;
	snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", name);
	n = scandir(folder, &files, visible, alphasort);
	printf("1..%d\n", n < 0 ? 1 : n + 1);
	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	printf("%sok 1 - %s: empty input%s\n", n <= 0 ? "not " : "", name, n <= 0 ? ", but its corpus is missing" : "");
	for (int i = 0; i < n; i++) {
		/* said before the run: a crash then names its file */
		fprintf(stderr, "running %s\n", files[i]->d_name);
		fflush(stdout);
		snprintf(path, sizeof path, "%s/%s", folder, files[i]->d_name);
		bool ok = run_file(path);

		bad += !ok;
		printf("%sok %d - %s: %s\n", ok ? "" : "not ", i + 2, name, files[i]->d_name);
		free(files[i]);
	}
	free(files);
	return n <= 0 || bad;
}
