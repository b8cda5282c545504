/* SHA-1 (FIPS 180-4) of short texts: a server proves with it that it speaks WebSocket (RFC 6455).
 * Nothing here depends on its strength. */
#ifndef MOHS_SHA1_H
#define MOHS_SHA1_H

#include <stddef.h>
#include <stdint.h>

#define MOHS_SHA1_BYTES 20

void mohs_sha1(const char *text, size_t size, uint8_t digest[MOHS_SHA1_BYTES]);

#endif
