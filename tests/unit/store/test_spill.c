/* Temporary files: where they lie, that they have no name, that they give back what was written. */
#include "model/store/files/spill.h"
#include "tests/unit/unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *was; /* of the environment */

static int keep_environment(void **state)
{
	(void)state;
	const char *dir = getenv("TMPDIR");
	was = dir ? strdup(dir) : NULL;
	return 0;
}

static int restore_environment(void **state)
{
	(void)state;
	if (was)
		setenv("TMPDIR", was, 1);
	else
		unsetenv("TMPDIR");
	free(was);
	return 0;
}

static bool lies_under(int fd, const char *dir)
{
	char link[64], path[512] = "";
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	return readlink(link, path, sizeof path - 1) > 0 && strncmp(path, dir, strlen(dir)) == 0;
}

static bool nameless(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && st.st_nlink == 0;
}

static void it_lies_where_the_environment_says(void **state)
{
	(void)state;
	char dir[] = "/tmp/spill-test-XXXXXX";
	assert_non_null(mkdtemp(dir));
	setenv("TMPDIR", dir, 1);
	int fd = spill_open();
	assert_true(lies_under(fd, dir));
	assert_true(nameless(fd));
	close(fd);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(spill_open(), -1); /* a place that is said is the only one */
}

static void else_it_lies_where_large_files_may(void **state)
{
	(void)state;
	unsetenv("TMPDIR");
	int fd = spill_open();
	assert_true(lies_under(fd, access("/var/tmp", W_OK) == 0 ? "/var/tmp/" : "/tmp/"));
	assert_true(nameless(fd));
	close(fd);
}

static void what_was_written_comes_back(void **state)
{
	(void)state;
	char text[16] = "";
	unsetenv("TMPDIR");
	int fd = spill_open();
	assert_true(spill_write(fd, "the second", 10, 9));
	assert_true(spill_write(fd, "the first", 9, 0));
	assert_int_equal(spill_read(fd, text, 10, 9), 10);
	assert_string_equal(text, "the second");
	assert_int_equal(spill_read(fd, text, 10, 15), 4); /* the file ends */
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_lies_where_the_environment_says),
		cmocka_unit_test(else_it_lies_where_large_files_may),
		cmocka_unit_test(what_was_written_comes_back),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("spill", tests, keep_environment, restore_environment);
}
