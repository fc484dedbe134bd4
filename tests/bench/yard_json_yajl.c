/*
 * yard_json_yajl - yardstick: stream a JSON file through yajl's callbacks in 1 MiB reads, keep nothing.
 * Build:  cc -O2 -o yard_json_yajl yard_json_yajl.c -lyajl
 * Usage:  yard_json_yajl FILE.json
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>

static size_t maps, bytes;
static int on_nil(void *c)
{
	(void)c;
	return 1;
}
static int on_bool(void *c, int b)
{
	(void)c;
	(void)b;
	return 1;
}
static int on_num(void *c, const char *s, size_t n)
{
	(void)c;
	(void)s;
	bytes += n;
	return 1;
}
static int on_str(void *c, const unsigned char *s, size_t n)
{
	(void)c;
	(void)s;
	bytes += n;
	return 1;
}
static int on_open(void *c)
{
	(void)c;
	maps++;
	return 1;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: yard_json_yajl FILE\n");
		return 2;
	}
	yajl_callbacks cb = {on_nil, on_bool, NULL, NULL, on_num, on_str, on_open, on_str, on_nil, on_nil, on_nil};
	yajl_handle y = yajl_alloc(&cb, NULL, NULL);
	static unsigned char b[1 << 20];
	int fd = open(argv[1], O_RDONLY);
	if (fd < 0) {
		perror(argv[1]);
		return 1;
	}
	yajl_config(y, yajl_dont_validate_strings, 1);
	for (ssize_t r; (r = read(fd, b, sizeof b)) > 0;)
		if (yajl_parse(y, b, (size_t)r) != yajl_status_ok) {
			fprintf(stderr, "parse error\n");
			return 1;
		}
	if (yajl_complete_parse(y) != yajl_status_ok) {
		fprintf(stderr, "parse error at end\n");
		return 1;
	}
	printf("maps %zu bytes %zu\n", maps, bytes);
	return 0;
}
