/* SHA-1 against the examples of FIPS 180, and at every length around a block. */
#include "core/sha1.h"

#include "runner.h"

static void expect(const char *text, size_t size, const char *wanted) {
    uint8_t digest[MOHS_SHA1_BYTES];
    char hex[2 * MOHS_SHA1_BYTES + 1];
    mohs_sha1(text, size, digest);
    for (size_t at = 0; at < sizeof digest; at++) sprintf(hex + 2 * at, "%02x", digest[at]);
    CHECK(strcmp(wanted, hex) == 0);
}

TEST(examples_of_the_standard) {
    expect("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    expect("abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
           "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

/* As `ruby -rdigest -e 'puts Digest::SHA1.hexdigest("a" * n)'` says. */
TEST(lengths_around_a_block) {
    char text[128];
    memset(text, 'a', sizeof text);
    expect(text, 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a");
    expect(text, 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699");
    expect(text, 63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5");
    expect(text, 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    expect(text, 65, "11655326c708d70319be2610e8a57d9a5b959d3b");
    expect(text, 119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56");
    expect(text, 120, "f34c1488385346a55709ba056ddd08280dd4c6d6");
    expect(text, 128, "ad5b3fdbcb526778c2839d2f151ea753995e26a0");
}

int main(void) {
    RUN(examples_of_the_standard);
    RUN(lengths_around_a_block);
    return report();
}
