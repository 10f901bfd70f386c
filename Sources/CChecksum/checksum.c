#include "checksum.h"
#include <pthread.h>
#include <string.h>

// Slicing by eight: table[k][b] is the checksum of byte b followed by k zero bytes.
static uint32_t table[8][256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void make_table(void) {
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t crc = b;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0x82F63B78u : 0);
        table[0][b] = crc;
    }
    for (int k = 1; k < 8; k++)
        for (uint32_t b = 0; b < 256; b++)
            table[k][b] = (table[k - 1][b] >> 8) ^ table[0][table[k - 1][b] & 0xFF];
}

uint32_t checksum_crc32c_portable(uint32_t crc, const void *bytes, size_t length) {
    pthread_once(&table_once, make_table);
    const uint8_t *p = bytes;
    crc = ~crc;
    for (; length >= 8; p += 8, length -= 8) {
        uint32_t low = crc ^ (p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
        crc = table[7][low & 0xFF] ^ table[6][low >> 8 & 0xFF] ^ table[5][low >> 16 & 0xFF] ^ table[4][low >> 24]
            ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
    }
    while (length--) crc = (crc >> 8) ^ table[0][(crc ^ *p++) & 0xFF];
    return ~crc;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t crc32c_hardware(uint32_t crc, const uint8_t *p, size_t length) {
    uint64_t c = (uint32_t)~crc;
    for (; length >= 8; p += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        c = __builtin_ia32_crc32di(c, word);
    }
    while (length--) c = __builtin_ia32_crc32qi((uint32_t)c, *p++);
    return ~(uint32_t)c;
}

static int has_hardware(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>

__attribute__((target("crc"))) static uint32_t crc32c_hardware(uint32_t crc, const uint8_t *p, size_t length) {
    uint32_t c = ~crc;
    for (; length >= 8; p += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        c = __crc32cd(c, word);
    }
    while (length--) c = __crc32cb(c, *p++);
    return ~c;
}

static int has_hardware(void) { return (getauxval(AT_HWCAP) & (1 << 7)) != 0; }  // HWCAP_CRC32

#else
static uint32_t crc32c_hardware(uint32_t crc, const uint8_t *p, size_t length) {
    return checksum_crc32c_portable(crc, p, length);
}
static int has_hardware(void) { return 0; }
#endif

uint32_t checksum_crc32c(uint32_t crc, const void *bytes, size_t length) {
    return has_hardware() ? crc32c_hardware(crc, bytes, length) : checksum_crc32c_portable(crc, bytes, length);
}
