#include "salted.h"
#include <pthread.h>
#include <string.h>
#include <sys/random.h>

static uint64_t key[2];
static pthread_once_t drawn = PTHREAD_ONCE_INIT;

static void draw(void)
{
	char *to = (char *)key;
	for (size_t n = 0; n < sizeof key;) {
		ssize_t got = getrandom(to + n, sizeof key - n, 0);
		n += got > 0 ? (size_t)got : 0;
	}
}

static uint64_t turned(uint64_t v, int bits)
{
	return v << bits | v >> (64 - bits);
}

static void mix(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = turned(v[1], 13) ^ v[0];
	v[3] = turned(v[3], 16) ^ v[2];
	v[0] = turned(v[0], 32) + v[3];
	v[2] += v[1];
	v[3] = turned(v[3], 21) ^ v[0];
	v[1] = turned(v[1], 17) ^ v[2];
	v[2] = turned(v[2], 32);
}

static void take(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v);
	mix(v);
	v[0] ^= word;
}

uint64_t salted_hash(const char *text)
{
	pthread_once(&drawn, draw);
	size_t n = strlen(text), left = n;
	uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du, key[0] ^ 0x6c7967656e657261u,
			 key[1] ^ 0x7465646279746573u};
	for (; left >= 8; left -= 8, text += 8) {
		uint64_t word;
		memcpy(&word, text, 8);
		take(v, word);
	}
	uint64_t last = (uint64_t)n << 56;
	memcpy(&last, text, left);
	take(v, last);
	v[2] ^= 0xff;
	for (int i = 0; i < 4; i++)
		mix(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
