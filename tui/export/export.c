/* tui/export/export.c - which writer an ending means. */
#include "export.h"
#include "formats.h"
#include "model/store/files/output.h"
#include "model/store/saved/save.h"
#include "tui/text/words.h"
#include <string.h>
#include <sys/stat.h>

static const struct {
	const char *ending;
	enum export_format format;
} endings[] = {
#define ENDING_ROW(word, format) {"." word, EXPORT_##format},
	EXPORT_ENDINGS(ENDING_ROW)
#undef ENDING_ROW
		{".db", EXPORT_SQLITE}};

static bool ends_in(const char *path, const char *ending)
{
	size_t n = strlen(path), m = strlen(ending);
	return n > m && !strcmp(path + n - m, ending);
}

static int ending_of(const char *path)
{
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (ends_in(path, endings[i].ending))
			return (int)i;
	return -1;
}

static bool is_folder(const char *path)
{
	struct stat st;
	return ends_in(path, "/") || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

bool export_format_of(const char *path, enum export_format *out, struct err *e)
{
	int i = ending_of(path);
	if (i >= 0)
		*out = endings[i].format;
	else if (is_folder(path))
		*out = EXPORT_FOLDER;
	else
		return err_usage(e,
				 "export cannot write '%.80s': it writes .json and .json.gz (Perfetto), .xplane.pb "
				 "(XProf, of an XSpace), .sqlite, .stepscope, .folded, and a folder of tables, as "
				 "out/; reports are written by 'stepscope report'",
				 words_base(path));
	return true;
}

bool export_is_stream(const char *path)
{
	struct stat st;
	return !strcmp(path, "-") ||
	       (ending_of(path) < 0 && stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) ||
	       !strncmp(path, "/dev/fd/", 8) || !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/stderr");
}

bool export_format_named(const char *path, const char *word, enum export_format *out, struct err *e)
{
	for (size_t i = 0; word && i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(word, endings[i].ending + 1)) {
			*out = endings[i].format;
			return true;
		}
	return err_usage(e,
			 "the ending of '%.80s' does not give a format; add --format json, json.gz, xplane.pb, sqlite, "
			 "stepscope or folded%s%.40s%s",
			 path, word ? ", not '" : "", word ? word : "", word ? "'" : "");
}

static bool is_packed(enum export_format f)
{
	return f == EXPORT_CHROME_GZ || f == EXPORT_XPLANE_GZ;
}

static bool is_xplane(enum export_format f)
{
	return f == EXPORT_XPLANE || f == EXPORT_XPLANE_GZ;
}

static bool is_binary(enum export_format f)
{
	return f == EXPORT_SAVED || f == EXPORT_SQLITE || f == EXPORT_XPLANE || is_packed(f);
}

bool export_check(enum export_format f, const char *path, bool windowed, bool redact, unsigned flags, struct err *e)
{
	if (f == EXPORT_FOLDER)
		return true;
	if (f == EXPORT_SAVED && windowed)
		return err_usage(e, "a .stepscope file holds the whole trace; write a window as .json.gz or .sqlite");
	if ((f == EXPORT_SAVED || is_xplane(f)) && redact)
		return err_usage(e,
				 "%s file holds all that was recorded; --redact is for .json.gz, .sqlite, .folded "
				 "and folders of tables",
				 f == EXPORT_SAVED ? "a .stepscope" : "an .xplane.pb");
	return output_check(path, flags | (is_binary(f) ? OUTPUT_BINARY : 0), e);
}

static bool write_stream(const struct export_req *r, enum export_format f, FILE *out, struct err *e)
{
	switch (f) {
	case EXPORT_SQLITE:
		return export_sqlite(r, out, e);
	case EXPORT_FOLDED:
		return export_folded(r, out, e);
	case EXPORT_XPLANE:
	case EXPORT_XPLANE_GZ:
		return export_xplane(r, out, e);
	default:
		return export_chrome(r, out, e);
	}
}

static bool write_packed(const struct export_req *r, enum export_format f, FILE *out, struct err *e)
{
	FILE *packed = gzip_stream(out);
	if (!packed)
		return err_memory(e, NULL);
	bool ok = write_stream(r, f, packed, e), sound = !ferror(packed);
	/* what could not be packed was not written: the output finds that out when it is closed */
	return fclose(packed) == 0 && sound
		       ? ok
		       : ok && err_unwritten(e, "cannot write the file: no room or a limit of size");
}

bool export_save(const struct export_req *r, enum export_format f, const char *path, unsigned flags, struct err *e)
{
	if (f == EXPORT_SAVED)
		return trace_save(derived_trace(r->d), path, flags, e);
	if (f == EXPORT_FOLDER)
		return export_folder(r, path, flags, e);
	struct output *o = output_open(path, flags | (is_binary(f) ? OUTPUT_BINARY : 0), e);
	TRY(o != NULL);
	if (is_packed(f) ? write_packed(r, f, output_stream(o), e) : write_stream(r, f, output_stream(o), e))
		return output_close(o, e) == OUTPUT_DONE;
	output_drop(o);
	return false;
}
