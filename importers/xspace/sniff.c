/* Is this an XSpace? There is no magic number: the head has to parse, field by field, and to hold a plane's name. */
#include "xspace.h"

static bool printable(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] < 0x20 || p[i] == 0x7f)
			return false;
	return true;
}

static bool begins(const unsigned char *p, size_t n, const char *z)
{
	return n >= strlen(z) && !memcmp(p, z, strlen(z));
}

/* Length of the UTF-8 sequence at p, 0 when there is none; `n` > 0. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
	size_t len = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
	if (len > n)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* Lengths, ids and times above 127 are not UTF-8, so a protobuf that is UTF-8 throughout and full of replacement
 * characters has lost every such byte to a program that took it for text. */
int64_t xspace_mangled(const unsigned char *head, size_t n)
{
	int64_t first = -1;
	unsigned found = 0;
	for (size_t i = 0, len; i < n; i += len) {
		len = utf8_length(head + i, n - i);
		if (!len)
			return n - i < 4 && found >= 4 ? first
						       : -1; /* a sequence cut at the head's end is no objection */
		if (begins(head + i, n - i, "\xef\xbf\xbd") && !found++)
			first = (int64_t)i;
	}
	return found >= 4 ? first : -1;
}

/* Plane names in use, other than those of devices and hosts. */
static bool known_plane(const unsigned char *p, size_t n)
{
	static const char *const heads[] = {
		"/host:", "/device:", "Task Environment", "/custom:", "#Chip", "Host CPUs", "Syscalls"};
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (begins(p, n, heads[i]))
			return true;
	return false;
}

static bool plane_field_fits(const struct wire_field *f)
{
	if (f->number == 1)
		return f->type == WIRE_VARINT;
	return f->number > 6 || f->type == WIRE_BYTES;
}

enum verdict { FOREIGN, NAMELESS, PLAUSIBLE, CERTAIN };

static enum verdict judge_name(const unsigned char *p, size_t n)
{
	if (!printable(p, n))
		return FOREIGN;
	return known_plane(p, n) ? CERTAIN : PLAUSIBLE;
}

/* The part of a payload that is at hand. */
static size_t at_hand(const struct wire_field *f, const struct wire *w)
{
	size_t left = (size_t)(w->end - w->p);
	return f->size < left ? (size_t)f->size : left;
}

static enum verdict judge_plane(struct wire w)
{
	enum verdict v = NAMELESS;
	struct wire_field f;
	for (; w.p < w.end && v != FOREIGN; w.p += at_hand(&f, &w)) {
		enum wire_result r = wire_head(&w, &f);
		if (r == WIRE_SHORT)
			break;
		if (r == WIRE_BAD || !plane_field_fits(&f))
			return FOREIGN;
		if (f.number == 2)
			v = judge_name(w.p, at_hand(&f, &w));
	}
	return v;
}

/* Planes, then texts. The first plane whose name is in use settles it. */
static enum verdict judge_space(struct wire w)
{
	enum verdict best = FOREIGN;
	struct wire_field f;
	for (; w.p < w.end && best != CERTAIN; w.p += at_hand(&f, &w)) {
		enum wire_result r = wire_head(&w, &f);
		if (r == WIRE_SHORT)
			break;
		if (r == WIRE_BAD || f.type != WIRE_BYTES || f.number > 4)
			return FOREIGN;
		bool text = f.number != 1;
		if (text && !printable(w.p, at_hand(&f, &w)))
			return FOREIGN;
		enum verdict v = text ? best : judge_plane((struct wire){w.p, w.p + at_hand(&f, &w)});
		if (!text && v == FOREIGN)
			return FOREIGN;
		best = v > best ? v : best;
	}
	return best;
}

int xspace_sniff(const unsigned char *head, size_t n)
{
	/* a nameless plane is believed only when nothing else wants the file; names in use settle it */
	static const int score[] = {[FOREIGN] = 0, [NAMELESS] = 10, [PLAUSIBLE] = 40, [CERTAIN] = 95};
	bool claims = n && head[0] == 0x0a && xspace_mangled(head, n) >= 0;
	if (claims && (memmem(head, n < 256 ? n : 256, "/device:", 8) || memmem(head, n < 256 ? n : 256, "/host:", 6)))
		return 90; /* taken in order to be refused with the reason */
	return score[judge_space((struct wire){head, head + n})];
}

bool xspace_plane_head(const unsigned char *p, size_t n)
{
	struct wire w = {p, p + n};
	struct wire_field f;
	if (!n || *p != 0x0a || wire_head(&w, &f) != WIRE_OK || f.size < 3)
		return false;
	if (wire_head(&w, &f) == WIRE_OK && f.number == 1 && f.type == WIRE_VARINT && wire_head(&w, &f) != WIRE_OK)
		return false;
	return f.number == 2 && f.type == WIRE_BYTES && f.size && f.size <= (uint64_t)(w.end - w.p) &&
	       judge_name(w.p, (size_t)f.size) == CERTAIN;
}
