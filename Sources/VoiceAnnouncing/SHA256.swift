import BoxFoundation
import CNettle

/// The hash that a manifest names for every clip.
enum SHA256 {
    /// - Returns: 64 lower-case hex digits.
    static func hex(_ bytes: [UInt8]) -> String {
        var digest: [UInt8] = Array(repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        var hash = sha256_ctx()
        nettle_sha256_init(&hash)
        nettle_sha256_update(&hash, bytes.count, bytes)
        nettle_sha256_digest(&hash, digest.count, &digest)
        return Hex.text(digest)
    }
}
