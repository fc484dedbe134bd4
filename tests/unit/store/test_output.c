/* Outputs appear whole, under their own name or under one that is told; nothing is replaced unasked; nothing is left behind.
 * The calls of the system that a file system may refuse are refused here: the functions below stand before libc's. */
#include "tui/screen/term_restore.h"
#include "output_folder.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

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

static int clean(void **state)
{
	memset(&lacks, 0, sizeof lacks);
	return folder_clean(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_new_file_has_the_mode_of_umask, clean),
		cmocka_unit_test_teardown(an_existing_file_is_replaced_when_asked_and_keeps_its_mode, clean),
		cmocka_unit_test_teardown(of_a_link_the_file_behind_it_is_written, clean),
		cmocka_unit_test_teardown(a_file_that_appears_meanwhile_stays, clean),
		cmocka_unit_test_teardown(what_is_no_file_is_not_replaced_even_with_force, clean),
		cmocka_unit_test_teardown(nothing_is_left_of_what_failed, clean),
		cmocka_unit_test_teardown(a_check_finds_out_beforehand_and_leaves_nothing, clean),
		cmocka_unit_test_teardown(a_killed_writer_leaves_nothing_for_longer_than_the_next_output, clean),
		cmocka_unit_test_teardown(only_our_leftovers_are_removed, clean),
		cmocka_unit_test_teardown(an_end_amid_the_work_leaves_nothing, clean),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("output", tests, folder_enter, folder_leave);
}
