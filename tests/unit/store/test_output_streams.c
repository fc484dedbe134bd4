/* Outputs go through what is no file (fifos, sockets, descriptors, devices, terminals), but for traps of others; which names are free. */
#include "output_folder.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

/* ---- streams ------------------------------------------------------------------------------------------------------- */

static void read_to_end(int fd, const char *expected)
{
	char text[64];
	size_t n = 0;
	for (ssize_t r; n < sizeof text - 1 && (r = read(fd, text + n, sizeof text - 1 - n)) > 0;)
		n += (size_t)r;
	text[n] = 0;
	assert_string_equal(text, expected);
	close(fd);
}

static void fifos_are_written_through(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= OUTPUT_BINARY; flags += OUTPUT_BINARY) {
		assert_int_equal(mkfifo("fifo", 0600), 0);
		assert_true(output_check("fifo", flags, &e)); /* does not wait */
		int reader = open("fifo", O_RDONLY | O_NONBLOCK);
		assert_int_equal(write_it("fifo", flags, "through"), OUTPUT_DONE);
		read_to_end(reader, "through");
		assert_true(S_ISFIFO(mode_of("fifo")));
		assert_int_equal(write_it("fifo", flags | OUTPUT_ON_SCREEN, ""), OUTPUT_LOST); /* nobody reads */
		assert_string_equal(names(), "fifo");
		unlink("fifo");
	}
}

static void a_reader_that_goes_away_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	int reader = open("fifo", O_RDONLY | O_NONBLOCK);
	struct output *o = begin("fifo", OUTPUT_BINARY, "unheard");
	close(reader);
	assert_int_equal(output_close(o, &e), OUTPUT_LOST); /* and no SIGPIPE */
	assert_true(e.unwritten && strstr(e.msg, strerror(EPIPE)));
}

static void sockets_are_connected_to(void **state)
{
	(void)state;
	struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&a, sizeof a) | listen(listener, 1), 0);
	assert_int_equal(write_it("socket", 0, "through"), OUTPUT_DONE);
	read_to_end(accept(listener, NULL, NULL), "through");
	assert_true(S_ISSOCK(mode_of("socket")));
	close(listener);
	assert_int_equal(write_it("socket", OUTPUT_FORCE, ""), OUTPUT_LOST);
	assert_true(S_ISSOCK(mode_of("socket")));
}

/* A descriptor's file is appended to, whatever its name leads to. */
static void descriptors_are_written_through(void **state)
{
	(void)state;
	static const char *const forms[] = {"/dev/fd/%d", "/proc/self/fd/%d"};
	char path[64];
	for (size_t i = 0; i < 2 * sizeof forms / sizeof *forms; i++) {
		int fd = open("x", O_RDWR | O_CREAT | O_TRUNC, 0600);
		assert_int_equal(write(fd, "before ", 7), 7);
		snprintf(path, sizeof path, forms[i / 2], fd);
		assert_int_equal(symlink(path, "link"), 0);
		assert_int_equal(write_it("link", i % 2 ? OUTPUT_BINARY : 0, "behind"), OUTPUT_DONE);
		assert_string_equal(text_of("x"), "before behind");
		assert_int_equal(unlink("link") | close(fd), 0);
		assert_false(output_check(path, OUTPUT_FORCE, &e)); /* it is closed */
		fd = open("x", O_RDONLY);
		snprintf(path, sizeof path, forms[i / 2], fd);
		assert_false(output_check(path, OUTPUT_FORCE, &e)); /* it is for reading */
		close(fd);
	}
	assert_string_equal(names(), "x");
}

/* Made as root: only root can make what belongs to somebody else. */
static void traps_of_other_users_are_not_stepped_into(void **state)
{
	(void)state;
	static const char *const traps[] = {"shared/link", "shared/fifo"};
	if (geteuid() != 0)
		skip();
	assert_int_equal(mkdir("shared", 0700) | chmod("shared", 01777) | symlink("../victim", "shared/link"), 0);
	assert_int_equal(mkfifo("shared/fifo", 0666), 0);
	int reader = open("shared/fifo", O_RDONLY | O_NONBLOCK);
	for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
		assert_int_equal(lchown(traps[i], 12345, 12345), 0);
		assert_int_equal(write_it(traps[i], OUTPUT_FORCE, "secret"), OUTPUT_LOST);
		assert_true(e.unwritten && strstr(e.msg, strerror(EACCES)));
		assert_int_equal(chmod("shared", 0755), 0); /* nobody else could have put it there */
		assert_int_equal(write_it(traps[i], OUTPUT_FORCE, "public"), OUTPUT_DONE);
		assert_int_equal(chmod("shared", 01777), 0);
	}
	read_to_end(reader, "public");
	assert_string_equal(text_of("victim"), "public");
}

static void full_devices_are_told(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= OUTPUT_BINARY; flags += OUTPUT_BINARY) {
		assert_int_equal(write_it("/dev/null", flags, "gone"), OUTPUT_DONE);
		assert_int_equal(write_it("/dev/full", flags, "gone"), OUTPUT_LOST);
		assert_non_null(strstr(e.msg, strerror(ENOSPC)));
	}
	assert_true(S_ISCHR(mode_of("/dev/null")) && S_ISCHR(mode_of("/dev/full")));
}

static void a_terminal_gets_text_only(void **state)
{
	(void)state;
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	char *name = ptsname(master);
	int slave = open(name, O_RDWR | O_NOCTTY);
	assert_int_equal(write_it(name, 0, "text"), OUTPUT_DONE);
	assert_int_equal(write_it(name, OUTPUT_BINARY, ""), OUTPUT_LOST);
	assert_non_null(strstr(e.msg, "is a terminal"));
	assert_int_equal(write_it(name, OUTPUT_ON_SCREEN, ""), OUTPUT_LOST);
	close(slave);
	close(master);
}

/* ---- names --------------------------------------------------------------------------------------------------------- */

static void free_names_count(void **state)
{
	(void)state;
	char name[64];
	assert_true(output_free_name("./a.b/x.txt", name, sizeof name));
	assert_string_equal(name, "./a.b/x.txt");
	put_text("x.txt", "");
	assert_int_equal(symlink("nowhere", "x-2.txt"), 0); /* a link to nothing is something */
	assert_true(output_free_name("x.txt", name, sizeof name));
	assert_string_equal(name, "x-3.txt");
	put_text(".hidden", "");
	assert_true(output_free_name("./.hidden", name, sizeof name));
	assert_string_equal(name, "./.hidden-2");
	assert_false(output_free_name("x.txt", name, 7));
}

static void what_grows_is_new_and_private(void **state)
{
	(void)state;
	char path[64];
	int fd = output_grow(".", "log", path, sizeof path);
	assert_true(fd >= 0);
	assert_string_equal(path, "./log");
	assert_int_equal(mode_of("log"), S_IFREG | 0600);
	close(fd);
	assert_int_equal(output_grow(".", "log", path, sizeof path), -1);
	assert_int_equal(errno, EEXIST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(fifos_are_written_through, folder_clean),
		cmocka_unit_test_teardown(a_reader_that_goes_away_is_an_error, folder_clean),
		cmocka_unit_test_teardown(sockets_are_connected_to, folder_clean),
		cmocka_unit_test_teardown(descriptors_are_written_through, folder_clean),
		cmocka_unit_test_teardown(traps_of_other_users_are_not_stepped_into, folder_clean),
		cmocka_unit_test_teardown(full_devices_are_told, folder_clean),
		cmocka_unit_test_teardown(a_terminal_gets_text_only, folder_clean),
		cmocka_unit_test_teardown(free_names_count, folder_clean),
		cmocka_unit_test_teardown(what_grows_is_new_and_private, folder_clean),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("output streams", tests, folder_enter, folder_leave);
}
