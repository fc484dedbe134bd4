#include "block.h"
#include "tui/text/utf8.h"
#include <stdbool.h>
#include <string.h>

static void put_escape(unsigned c, struct block *out)
{
	static const char plain[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\", hex[] = "0123456789abcdef";
	const char *at = c ? strchr(plain, (int)c) : NULL;
	if (at)
		block_bytes(out, (char[]){'\\', letters[at - plain]}, 2);
	else
		block_bytes(out, (char[]){'\\', 'u', '0', '0', hex[c >> 4 & 15], hex[c & 15]}, 6);
}

static bool is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

/* Control characters are escaped, so a reader gets them back; bytes that are not UTF-8 become U+FFFD. */
void block_json(struct block *out, const char *s)
{
	block_char(out, '"');
	while (*s) {
		const unsigned char *u = (const unsigned char *)s;
		if (is_plain(*s)) {
			const char *from = s;
			while (is_plain(*s))
				s++;
			block_bytes(out, from, (size_t)(s - from));
		} else if (*u < 0x20 || *u == '"' || *u == '\\' || *u == 0x7F) {
			put_escape(*u, out);
			s++;
			/* the control characters of Latin-1, in UTF-8 */
		} else if (*u == 0xC2 && u[1] >= 0x80 && u[1] < 0xA0) {
			put_escape(u[1], out);
			s += 2;
		} else {
			block_code_point(out, utf8_next_exact(&s));
		}
	}
	block_char(out, '"');
}
