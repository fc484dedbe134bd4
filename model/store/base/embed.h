/* model/store/base/embed.h - a data file of the repository as bytes of the program (rules, themes).
 * EMBED(name, "path from the repository's root") defines `name` (NUL-terminated text) and `name_size`. */
#ifndef STEPSCOPE_EMBED_H
#define STEPSCOPE_EMBED_H
#define EMBED(sym, path)                                                                     \
	__asm__(".section .rodata\n.global " #sym "\n.balign 16\n" #sym ":\n.incbin \"" path \
		"\"\n.byte 0\n.global " #sym "_end\n" #sym "_end:\n.previous\n");            \
	extern const char sym[];                                                             \
	extern const char sym##_end[]
#define EMBED_SIZE(sym) ((unsigned long)(sym##_end - (sym)) - 1)
#endif
