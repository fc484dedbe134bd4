#include "bundle.h"
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static bool is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

#ifndef STEPSCOPE_STATIC

bool bundle_locale(void)
{
	setlocale(LC_CTYPE, "");
	return is_utf8();
}

bool bundle_has_library(void)
{
	return false;
}

bool bundle_library(char *path, size_t size, struct err *e)
{
	(void)path;
	(void)size;
	return err_usage(e, "this program carries no library");
}

#else
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "importers/cache.h"
#include "importers/unpack.h"
#include "live/address.h"
#include "model/store/base/embed.h"
#include "model/store/base/memory.h"
#include "model/store/files/codec.h"
#include "model/store/files/output.h"
#include "model/store/files/trusted.h"

EMBED(locale_gz, "LC_CTYPE.gz");
EMBED(inject_gz, "libstepscope-inject.so.gz");
EMBED(preload_gz, "libstepscope-preload.so.gz");

/* Appends what the packed bytes hold to f. */
static bool write_unpacked(FILE *f, const char *packed, size_t n)
{
	unsigned char buf[1 << 16];
	struct unpack *u = must(unpack_new(PACKING_GZIP));
	size_t used, got = 1;
	for (size_t at = 0; at < n || got; at += used) {
		got = unpack_some(u, (const unsigned char *)packed + at, n - at, &used, buf, sizeof buf);
		if (fwrite(buf, 1, got, f) != got)
			break;
	}
	unpack_end_of_input(u);
	bool sound = !unpack_damage(u) && !ferror(f);
	unpack_free(u);
	return sound;
}

/* ---- locale ----------------------------------------------------------------------------------------------------------- */

/* Whether the environment asks for UTF-8: of LC_ALL, LC_CTYPE and LANG the first that is set counts. */
static bool wants_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *v = getenv(names[i]);
		if (v && *v)
			return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
	}
	return false;
}

/* glibc reads locales from files only, and maps them: they may go once they are set. */
static bool set_own_locale(const char *folder)
{
	char dir[PATH_MAX], locale[PATH_MAX + 16], file[PATH_MAX + 32];
	int n = snprintf(dir, sizeof dir, "%s/stepscope-XXXXXX", folder);
	if (n < 0 || (size_t)n >= sizeof dir || !mkdtemp(dir))
		return false;
	snprintf(locale, sizeof locale, "%s/C.utf8", dir);
	snprintf(file, sizeof file, "%s/LC_CTYPE", locale);
	FILE *f = mkdir(locale, 0700) == 0 ? fopen(file, "wxe") : NULL;
	bool written = f && write_unpacked(f, locale_gz, EMBED_SIZE(locale_gz));
	written = f && fclose(f) == 0 && written && setenv("LOCPATH", dir, 1) == 0;
	bool set = written && setlocale(LC_CTYPE, "C.UTF-8");
	unlink(file);
	rmdir(locale);
	rmdir(dir);
	return set;
}

static void carry_locale(void)
{
	const char *places[] = {getenv("TMPDIR"),          "/tmp",         "/dev/shm", "/var/tmp",
				getenv("XDG_RUNTIME_DIR"), getenv("HOME"), "."};
	const char *before = getenv("LOCPATH");
	char *own = before ? strdup(before) : NULL;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (places[i] && *places[i] && set_own_locale(places[i]))
			break;
	if (own)
		setenv("LOCPATH", own, 1);
	else
		unsetenv("LOCPATH");
	free(own);
}

bool bundle_locale(void)
{
	if (!setlocale(LC_CTYPE, "") && wants_utf8())
		carry_locale();
	return is_utf8();
}

/* ---- live mode -------------------------------------------------------------------------------------------------------- */

bool bundle_has_library(void)
{
	return true;
}

static bool holds_programs(const char *dir)
{
	struct statvfs v;
	bool there;
	return trusted_folder(dir, &there) && statvfs(dir, &v) == 0 && !(v.f_flag & ST_NOEXEC);
}

/* A folder in which a program may load a library: that of imports, else that of the sockets. */
static bool find_place(char *dir, size_t size)
{
	char socket[WIRE_PATH_BYTES];
	bool there, sound;
	if (cache_folder(dir, size) && holds_programs(dir))
		return true;
	if (!address_viewer(socket, NULL) || !address_folder(0, socket, &there, &sound))
		return false;
	return sound && holds_programs(socket) && snprintf(dir, size, "%s", socket) < (int)size;
}

static bool unpack_into(const char *dir, const char *name, const char *packed, size_t n, char *path, size_t size,
			struct err *e)
{
	int length = snprintf(path, size, "%s/%s", dir, name);
	if (length < 0 || (size_t)length >= size)
		return err_usage(e, "the path %s is too long", dir);
	if (access(path, R_OK) == 0) /* whole: an output appears at once */
		return true;
	struct output *o = output_open(path, OUTPUT_BINARY, e);
	if (!o)
		return false;
	if (write_unpacked(output_stream(o), packed, n))
		return output_close(o, e) != OUTPUT_LOST &&
		       (access(path, R_OK) == 0 || err_usage(e, "%s cannot be read", path));
	output_drop(o);
	return err_usage(e, "%s cannot be written", path);
}

/* The folder's name says what is in it, so other versions get their own. */
bool bundle_library(char *path, size_t size, struct err *e)
{
	char place[PATH_MAX], dir[PATH_MAX + 32];
	bool there;
	uint64_t hash = codec_hash(inject_gz, EMBED_SIZE(inject_gz), codec_hash(preload_gz, EMBED_SIZE(preload_gz), 0));
	if (!find_place(place, sizeof place))
		return err_usage(e, "no folder to unpack the library of live mode into: $XDG_CACHE_HOME/stepscope or "
				    "~/.cache/stepscope must be yours, closed to others (mode 0700), and on a file "
				    "system that allows programs to be loaded");
	snprintf(dir, sizeof dir, "%s/live-%016" PRIx64, place, hash);
	mkdir(dir, 0700);
	if (!trusted_folder(dir, &there))
		return err_usage(e, "%s must be a folder of yours that others cannot enter (mode 0700), and not a link",
				 dir);
	TRY(unpack_into(dir, "libstepscope-preload.so", preload_gz, EMBED_SIZE(preload_gz), path, size, e));
	return unpack_into(dir, "libstepscope-inject.so", inject_gz, EMBED_SIZE(inject_gz), path, size, e);
}
#endif
