// CRC-32C (Castagnoli), as RFC 3720 defines it, by the processor's own instruction where it has one.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Continues a checksum over `length` bytes. Begin with `crc` = 0; the initial and final XOR are done inside, so the
/// result of one call is the `crc` of the next.
uint32_t checksum_crc32c(uint32_t crc, const void *_Nullable bytes, size_t length);

/// The same by tables alone, for the test that holds both against each other.
uint32_t checksum_crc32c_portable(uint32_t crc, const void *_Nullable bytes, size_t length);
