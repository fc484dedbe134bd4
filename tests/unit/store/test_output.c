/* Outputs appear whole, under their own name or under one that is told; nothing is replaced unasked; nothing is left behind.
 * The calls of the system that a file system may refuse are refused here: the functions below stand before libc's. */
#include "tui/screen/term_restore.h"
#include "model/store/files/output_private.h"
#include "tests/unit/unit.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/stepscope-test-XXXXXX";
static struct err e;

/* ---- a file system that knows less --------------------------------------------------------------------------------- */

static struct {
	bool no_unnamed, no_links, no_rename_new; /* O_TMPFILE, linkat, renameat2 */
	int sync_errno;
	int syncs;
} lacks;

static bool refuse(int why)
{
	errno = why;
	return true;
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if ((flags & O_TMPFILE) == O_TMPFILE && lacks.no_unnamed && refuse(EOPNOTSUPP))
		return -1;
	return (int)syscall(SYS_openat, dir, path, flags, mode);
}

int linkat(int from, const char *a, int to, const char *b, int flags)
{
	if (lacks.no_links && refuse(EPERM))
		return -1;
	return (int)syscall(SYS_linkat, from, a, to, b, flags);
}

int renameat2(int from, const char *a, int to, const char *b, unsigned flags)
{
	if (lacks.no_rename_new && refuse(EINVAL))
		return -1;
	return (int)syscall(SYS_renameat2, from, a, to, b, flags);
}

int fsync(int fd)
{
	lacks.syncs++;
	if (lacks.sync_errno && refuse(lacks.sync_errno))
		return -1;
	return (int)syscall(SYS_fsync, fd);
}

/* ---- helpers ------------------------------------------------------------------------------------------------------- */

/* Names in the folder, in order, with blanks between; temporaries count as "T". */
static const char *names(void)
{
	static char text[512];
	struct dirent **list;
	int n = scandir(".", &list, NULL, alphasort);
	text[0] = 0;
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " " : "",
				 strncmp(name, ".stepscope-", 11) == 0 ? "T" : name);
		free(list[i]);
	}
	free(list);
	return text;
}

static void put_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static const char *text_of(const char *path)
{
	static char text[64];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	text[n] = 0;
	if (f)
		fclose(f);
	return text;
}

static struct output *begin(const char *path, unsigned flags, const char *text)
{
	e = (struct err){.at = -1};
	struct output *o = output_open(path, flags, &e);
	if (o)
		fputs(text, output_stream(o));
	return o;
}

static enum output_end write_it(const char *path, unsigned flags, const char *text)
{
	struct output *o = begin(path, flags, text);
	return o ? output_close(o, &e) : OUTPUT_LOST;
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode;
}

/* Every test of files runs on three file systems: one that knows everything, one without files that have no name, one that
 * has no hard links either. */
static void on_each(void (*test)(void))
{
	for (int i = 0; i < 4; i++) {
		memset(&lacks, 0, sizeof lacks);
		lacks.no_unnamed = i >= 1;
		lacks.no_links = i >= 2;
		lacks.no_rename_new = i >= 3;
		test();
		assert_int_equal(system("rm -rf ./* ./.stepscope-*"), 0);
	}
	memset(&lacks, 0, sizeof lacks);
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

static void new_file(void)
{
	mode_t before = umask(027);
	assert_int_equal(write_it("x.txt", 0, "new"), OUTPUT_DONE);
	umask(before);
	assert_string_equal(text_of("x.txt"), "new");
	assert_int_equal(mode_of("x.txt"), S_IFREG | 0640);
	assert_string_equal(names(), "x.txt");
	assert_int_equal(lacks.syncs, 2); /* the file, its folder */
}

static void a_new_file_has_the_mode_of_umask(void **state)
{
	(void)state;
	on_each(new_file);
}

static void replaced_file(void)
{
	put_text("x.txt", "old");
	assert_int_equal(chmod("x.txt", 0604), 0);
	assert_int_equal(write_it("x.txt", 0, "new"), OUTPUT_LOST);
	assert_true(e.unwritten && strstr(e.msg, "x.txt exists; --force"));
	assert_string_equal(text_of("x.txt"), "old");
	assert_int_equal(write_it("x.txt", OUTPUT_FORCE, "new"), OUTPUT_DONE);
	assert_string_equal(text_of("x.txt"), "new");
	assert_int_equal(mode_of("x.txt"), S_IFREG | 0604);
	assert_string_equal(names(), "x.txt");
}

static void an_existing_file_is_replaced_when_asked_and_keeps_its_mode(void **state)
{
	(void)state;
	on_each(replaced_file);
}

static void linked_file(void)
{
	assert_int_equal(mkdir("below", 0700) | symlink("below/real", "link") | symlink("link", "chain"), 0);
	put_text("below/real", "old");
	assert_int_equal(write_it("chain", OUTPUT_FORCE, "new"), OUTPUT_DONE);
	assert_true(S_ISLNK(mode_of("chain")) && S_ISLNK(mode_of("link")) && S_ISREG(mode_of("below/real")));
	assert_string_equal(text_of("below/real"), "new");
	assert_int_equal(symlink("below/none", "dangling"), 0);
	assert_int_equal(write_it("dangling", 0, "made"), OUTPUT_DONE);
	assert_true(S_ISLNK(mode_of("dangling")));
	assert_string_equal(text_of("below/none"), "made");
	assert_int_equal(symlink("round", "round"), 0);
	assert_int_equal(write_it("round", OUTPUT_FORCE, ""), OUTPUT_LOST);
	assert_non_null(strstr(e.msg, strerror(ELOOP)));
}

static void of_a_link_the_file_behind_it_is_written(void **state)
{
	(void)state;
	on_each(linked_file);
}

static void appearing_file(void)
{
	struct output *o = begin("x.tar.txt", 0, "ours");
	put_text("x.tar.txt", "theirs");
	put_text("x.tar-2.txt", "theirs, too");
	assert_int_equal(output_close(o, &e), OUTPUT_BESIDE);
	assert_true(e.unwritten && strstr(e.msg, "x.tar-3.txt"));
	assert_string_equal(text_of("x.tar.txt"), "theirs");
	assert_string_equal(text_of("x.tar-3.txt"), "ours");
	assert_string_equal(names(), "x.tar-2.txt x.tar-3.txt x.tar.txt");
}

static void appeared_during_the_work(void)
{
	assert_true(output_check("x", OUTPUT_CHECKED, &e));
	put_text("x", "theirs");
	assert_false(output_check("x", OUTPUT_CHECKED, &e));
	assert_int_equal(write_it("x", OUTPUT_CHECKED, "ours"), OUTPUT_BESIDE);
	assert_true(e.unwritten && strstr(e.msg, "x-2"));
	assert_string_equal(text_of("x"), "theirs");
	assert_string_equal(text_of("x-2"), "ours");
	assert_int_equal(mkdir("y", 0700), 0);
	assert_int_equal(write_it("y", OUTPUT_CHECKED | OUTPUT_FORCE, "ours"), OUTPUT_BESIDE);
	assert_string_equal(names(), "x x-2 y y-2");
	assert_int_equal(write_it("x", OUTPUT_CHECKED | OUTPUT_FORCE, "forced"), OUTPUT_DONE);
	assert_string_equal(text_of("x"), "forced");
}

static void a_file_that_appears_meanwhile_stays(void **state)
{
	(void)state;
	on_each(appearing_file);
	on_each(appeared_during_the_work);
}

static void appearing_fifo(void)
{
	struct output *o = begin("x", OUTPUT_FORCE, "ours");
	assert_int_equal(mkfifo("x", 0600), 0);
	assert_int_equal(output_close(o, &e), OUTPUT_BESIDE);
	assert_true(S_ISFIFO(mode_of("x")));
	assert_string_equal(text_of("x-2"), "ours");
	o = begin("y", OUTPUT_FORCE, "ours");
	assert_int_equal(mkdir("y", 0700), 0);
	assert_int_equal(output_close(o, &e), OUTPUT_BESIDE);
	assert_string_equal(text_of("y-2"), "ours");
}

static void what_is_no_file_is_not_replaced_even_with_force(void **state)
{
	(void)state;
	on_each(appearing_fifo);
}

static void dropped(void)
{
	output_drop(begin("x", 0, "never"));
	assert_string_equal(names(), "");
	lacks.sync_errno = ENOSPC;
	assert_int_equal(write_it("x", 0, "never"), OUTPUT_LOST);
	assert_true(e.unwritten && strstr(e.msg, "cannot write") && strstr(e.msg, strerror(ENOSPC)));
	assert_string_equal(names(), "");
	assert_int_equal(write_it("x", OUTPUT_EXPENDABLE, "cached"), OUTPUT_DONE); /* not synced */
}

static void nothing_is_left_of_what_failed(void **state)
{
	(void)state;
	on_each(dropped);
}

static void checked(void)
{
	put_text("x", "old");
	assert_false(output_check("x", 0, &e));
	assert_true(output_check("x", OUTPUT_FORCE, &e));
	assert_true(output_check("y", 0, &e));
	assert_false(output_check("none/y", 0, &e));
	assert_true(e.unwritten && strstr(e.msg, strerror(ENOENT)));
	assert_false(output_check(".", OUTPUT_FORCE, &e) || output_check("none/", 0, &e) || output_check("", 0, &e));
	assert_false(output_check("/proc/stepscope", 0, &e)); /* not even root can make a file there */
	assert_string_equal(names(), "x");
	char longest[NAME_MAX + 1];
	memset(longest, 'n', sizeof longest);
	longest[NAME_MAX] = 0;
	assert_int_equal(write_it(longest, 0, "fits"), OUTPUT_DONE);
}

static void a_check_finds_out_beforehand_and_leaves_nothing(void **state)
{
	(void)state;
	on_each(checked);
}

/* ---- leftovers ------------------------------------------------------------------------------------------------------ */

static void leave_behind(void)
{
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct output *o = output_open("x", 0, &e);
		fputs("half", output_stream(o));
		fflush(output_stream(o));
		raise(SIGKILL);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
}

static void a_killed_writer_leaves_nothing_for_longer_than_the_next_output(void **state)
{
	(void)state;
	leave_behind();
	assert_string_equal(names(), ""); /* it had no name yet */
	lacks.no_unnamed = true;
	leave_behind();
	assert_string_equal(names(), "T");
	struct output *o = begin("y", 0, "mine");
	assert_string_equal(names(), "T"); /* mine: that of a process that runs */
	assert_true(output_check("z", 0, &e));
	assert_string_equal(names(), "T");
	assert_int_equal(output_close(o, &e), OUTPUT_DONE);
	assert_string_equal(names(), "y");
}

static void make_old(const char *name, int age_s)
{
	struct timespec then[2] = {{.tv_sec = time(NULL) - age_s}, {.tv_sec = time(NULL) - age_s}};
	put_text(name, "");
	assert_int_equal(utimensat(AT_FDCWD, name, then, 0), 0);
}

static void only_our_leftovers_are_removed(void **state)
{
	(void)state;
	make_old(".stepscope-00000001-77-0", 7200); /* another machine's, long ago */
	make_old(".stepscope-00000001-77-1", 60);   /* it may still be written */
	make_old(".stepscope-notes", 7200);
	make_old(".stepscope-00000001-77-1x", 60);
	make_old(".other-00000001-77-0", 7200);
	make_old("stepscope-00000001-77-0", 7200);
	assert_int_equal(write_it("x", 0, ""), OUTPUT_DONE);
	assert_int_not_equal(access(".stepscope-00000001-77-0", F_OK), 0);
	assert_int_equal(access(".stepscope-00000001-77-1", F_OK) | access(".stepscope-notes", F_OK) |
				 access(".other-00000001-77-0", F_OK) | access("stepscope-00000001-77-0", F_OK),
			 0);
}

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

/* A terminal that hangs up, or any signal that ends the explorer, amid an export. */
static void a_signal_that_ends_the_program_leaves_nothing(void)
{
	pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0});
		term_restore_arm(open("/dev/null", O_WRONLY));
		begin("one.html", 0, "half a page");
		begin("two.html", 0, "half a page");
		raise(SIGHUP);
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	assert_string_equal(names(), "");
}

static void an_end_amid_the_work_leaves_nothing(void **state)
{
	(void)state;
	on_each(a_signal_that_ends_the_program_leaves_nothing);
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

static int enter(void **state)
{
	(void)state;
	return mkdtemp(folder) ? chdir(folder) : 1;
}

static int clean(void **state)
{
	(void)state;
	memset(&lacks, 0, sizeof lacks);
	return system("rm -rf ./* ./.[a-z]*");
}

static int leave(void **state)
{
	(void)state;
	return chdir("/") || rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_new_file_has_the_mode_of_umask, clean),
		cmocka_unit_test_teardown(an_end_amid_the_work_leaves_nothing, clean),
		cmocka_unit_test_teardown(an_existing_file_is_replaced_when_asked_and_keeps_its_mode, clean),
		cmocka_unit_test_teardown(of_a_link_the_file_behind_it_is_written, clean),
		cmocka_unit_test_teardown(a_file_that_appears_meanwhile_stays, clean),
		cmocka_unit_test_teardown(what_is_no_file_is_not_replaced_even_with_force, clean),
		cmocka_unit_test_teardown(nothing_is_left_of_what_failed, clean),
		cmocka_unit_test_teardown(a_check_finds_out_beforehand_and_leaves_nothing, clean),
		cmocka_unit_test_teardown(a_killed_writer_leaves_nothing_for_longer_than_the_next_output, clean),
		cmocka_unit_test_teardown(only_our_leftovers_are_removed, clean),
		cmocka_unit_test_teardown(fifos_are_written_through, clean),
		cmocka_unit_test_teardown(a_reader_that_goes_away_is_an_error, clean),
		cmocka_unit_test_teardown(sockets_are_connected_to, clean),
		cmocka_unit_test_teardown(descriptors_are_written_through, clean),
		cmocka_unit_test_teardown(traps_of_other_users_are_not_stepped_into, clean),
		cmocka_unit_test_teardown(full_devices_are_told, clean),
		cmocka_unit_test_teardown(a_terminal_gets_text_only, clean),
		cmocka_unit_test_teardown(free_names_count, clean),
		cmocka_unit_test_teardown(what_grows_is_new_and_private, clean),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("output", tests, enter, leave);
}
