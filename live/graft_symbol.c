#include "graft_symbol.h"
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image { /* an ELF file in memory */
	const unsigned char *bytes;
	size_t n;
};

static bool is_inside(const struct image *m, uint64_t at, uint64_t n)
{
	return at <= m->n && n <= m->n - at;
}

static bool open_image(const char *path, struct image *m)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *p = fd >= 0 && !fstat(fd, &st) && st.st_size > (off_t)sizeof(Elf64_Ehdr)
			  ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
			  : MAP_FAILED;
	if (fd >= 0)
		close(fd);
	if (p == MAP_FAILED)
		return false;
	*m = (struct image){p, (size_t)st.st_size};
	return true;
}

static const Elf64_Shdr *sections(const struct image *m, unsigned *n)
{
	const Elf64_Ehdr *h = (const void *)m->bytes;
	*n = h->e_shnum;
	bool sound = !memcmp(h->e_ident, ELFMAG, SELFMAG) && h->e_ident[EI_CLASS] == ELFCLASS64 &&
		     h->e_shoff % 8 == 0 && h->e_shentsize == sizeof(Elf64_Shdr) &&
		     is_inside(m, h->e_shoff, (uint64_t)*n * sizeof(Elf64_Shdr));
	return sound ? (const void *)(m->bytes + h->e_shoff) : NULL;
}

static bool is_named(const struct image *m, const Elf64_Shdr *strings, uint32_t at, const char *name)
{
	size_t n = strlen(name) + 1;
	return at < strings->sh_size && n <= strings->sh_size - at &&
	       is_inside(m, strings->sh_offset, strings->sh_size) &&
	       !memcmp(m->bytes + strings->sh_offset + at, name, n);
}

/* Value of a defined dynamic symbol: an address relative to where the file is loaded. */
static uint64_t symbol_value(const struct image *m, const char *name)
{
	unsigned n_sections = 0;
	const Elf64_Shdr *s = sections(m, &n_sections);
	for (unsigned i = 0; s && i < n_sections; i++) {
		if (s[i].sh_type != SHT_DYNSYM || s[i].sh_link >= n_sections || s[i].sh_offset % 8 ||
		    !is_inside(m, s[i].sh_offset, s[i].sh_size))
			continue;
		const Elf64_Sym *sym = (const void *)(m->bytes + s[i].sh_offset);
		for (uint64_t k = 0; k < s[i].sh_size / sizeof *sym; k++)
			if (sym[k].st_shndx != SHN_UNDEF && is_named(m, &s[s[i].sh_link], sym[k].st_name, name))
				return sym[k].st_value;
	}
	return 0;
}

/* First mapping of the file: where it begins in the process. */
static uint64_t mapping_of(int pid, const char *file, char *path, size_t size)
{
	char line[4500], name[4096];
	unsigned long long from = 0, offset;
	bool found = false;
	snprintf(line, sizeof line, "/proc/%d/maps", pid);
	FILE *f = fopen(line, "r");
	while (f && !found && fgets(line, sizeof line, f)) {
		const char *base = sscanf(line, "%llx-%*x %*s %llx %*s %*s %4095[^\n]", &from, &offset, name) == 3
					   ? strrchr(name, '/')
					   : NULL;
		found = base && offset == 0 && !strncmp(base + 1, file, strlen(file));
	}
	if (f)
		fclose(f);
	/* as the process sees the file, which may live in another mount namespace */
	return found && snprintf(path, size, "/proc/%d/root%s", pid, name) < (int)size ? from : 0;
}

uint64_t symbol_in_process(int pid, const char *file, const char *name)
{
	char path[4200];
	struct image m;
	uint64_t base = mapping_of(pid, file, path, sizeof path);
	if (!base || !open_image(path, &m))
		return 0;
	uint64_t value = symbol_value(&m, name);
	munmap((void *)(uintptr_t)m.bytes, m.n);
	return value ? base + value : 0;
}
