/*
 * yard_json_simdjson - yardstick: simdjson on-demand over traceEvents of the whole file in memory. Reads ph, name, cat,
 * ts, dur, pid, tid, id and every member of args; keeps nothing. (on-demand needs the file and an index of it in memory)
 * Build:  c++ -O2 -march=native -o yard_json_simdjson yard_json_simdjson.cpp -lsimdjson
 * Usage:  yard_json_simdjson FILE.json
 */
#include <cstdio>
#include <simdjson.h>
using namespace simdjson;

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: yard_json_simdjson FILE\n");
		return 2;
	}
	auto file = padded_string::load(argv[1]);
	if (file.error()) {
		fprintf(stderr, "cannot read %s\n", argv[1]);
		return 1;
	}
	padded_string text = std::move(file).value();
	ondemand::parser parser;
	ondemand::document doc = std::move(parser.iterate(text).value());
	unsigned long long n = 0, args = 0, len = 0;
	double sum = 0;
	for (auto e : doc["traceEvents"].get_array()) {
		ondemand::object o = e.get_object();
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
				for (auto a : f.value().get_object()) {
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
		}
		n++;
	}
	printf("objects %llu args %llu sum %g len %llu\n", n, args, sum, len);
	return 0;
}
