/*
 * yard_json_simdjson - yardstick: simdjson on-demand over traceEvents. Reads ph, name, cat, ts, dur, pid, tid, id and every member of
 * args; keeps nothing. on-demand needs the text and an index of it in memory: of the whole file, or (-w) of windows of 1 MiB, which
 * stay in the cache and are read three times as fast. Windows are cut where an entry of the layout of gen_kineto ends.
 * Build:  c++ -O2 -march=native -o yard_json_simdjson yard_json_simdjson.cpp -lsimdjson
 * Usage:  yard_json_simdjson [-w] FILE.json
 */
#include <cstdio>
#include <cstring>
#include <simdjson.h>
#include <string>
#include <vector>
using namespace simdjson;

static unsigned long long n, args, len;
static double sum;

static void read_args(ondemand::object members)
{
	for (auto a : members) {
		args++;
		auto v = a.value();
		ondemand::json_type t = v.type();
		if (t == ondemand::json_type::number)
			sum += v.get_number().value().as_double();
		else if (t == ondemand::json_type::string)
			len += std::string_view(v.get_string()).size();
		else
			len += std::string_view(to_json_string(v)).size();
	}
}

static void read_entry(ondemand::object o)
{
	for (auto f : o) {
		std::string_view k = f.unescaped_key();
		if (k == "ph" || k == "name" || k == "cat") {
			std::string_view s = f.value().get_string();
			len += s.size();
		} else if (k == "ts" || k == "dur") {
			sum += double(f.value().get_double());
		} else if (k == "pid" || k == "tid" || k == "id") {
			auto v = f.value();
			ondemand::json_type t = v.type();
			if (t == ondemand::json_type::number)
				len += uint64_t(int64_t(v.get_int64()));
			else
				len += std::string_view(v.raw_json_token()).size();
		} else if (k == "args") {
			read_args(f.value().get_object());
		}
	}
	n++;
}

/* text: '[', whole entries, and room; size: of '[' and the entries. */
static void read_window(ondemand::parser &parser, std::vector<char> &text, size_t size)
{
	char kept = text[size];
	text[size] = ']';
	ondemand::document doc = parser.iterate(text.data(), size + 1, text.size());
	for (auto e : doc.get_array())
		read_entry(e.get_object());
	text[size] = kept;
}

/* How much of the window ends with a whole entry; *next: where the one behind its comma begins. 0: no entry ends there. */
static size_t whole_entries(const std::vector<char> &text, size_t size, bool last, size_t *next)
{
	static const char between[] = "\n  },", behind[] = "\n  ]";
	const char *cut = last ? behind : between;
	size_t k = strlen(cut);
	for (size_t at = size; at-- > k;)
		if (!memcmp(&text[at - k + 1], cut, k)) {
			*next = at + 1;
			return last ? at - k + 1 : at;
		}
	return 0;
}

static size_t size_of(FILE *f)
{
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	return size > 0 ? (size_t)size : 0;
}

/* Moves the array of entries to the begin; its size, 0 without one. */
static size_t find_entries(std::vector<char> &text, size_t size)
{
	const char *begin = (const char *)memmem(text.data(), size, "\"traceEvents\"", 13);
	begin = begin ? (const char *)memchr(begin, '[', size - (size_t)(begin - text.data())) : NULL;
	if (!begin)
		return 0;
	size -= (size_t)(begin - text.data());
	memmove(text.data(), begin, size);
	return size;
}

int main(int argc, char **argv)
{
	bool windows = argc == 3 && !strcmp(argv[1], "-w");
	FILE *f = argc == 2 || windows ? fopen(argv[argc - 1], "rb") : NULL;
	if (!f) {
		fprintf(stderr, "usage: yard_json_simdjson [-w] FILE\n");
		return 2;
	}
	size_t step = windows ? 1 << 20 : size_of(f) + 1, next = 0, whole;
	std::vector<char> text((windows ? 2 : 1) * step + SIMDJSON_PADDING);
	ondemand::parser parser;
	size_t size = find_entries(text, fread(text.data(), 1, step, f));
	while ((whole = whole_entries(text, size, feof(f), &next))) {
		read_window(parser, text, whole);
		if (feof(f))
			break;
		text[0] = '[';
		memmove(&text[1], &text[next], size - next);
		size = 1 + size - next;
		size += fread(&text[size], 1, step, f);
	}
	printf("objects %llu args %llu sum %g len %llu\n", n, args, sum, len);
	return n == 0;
}
