import BoxFoundation
import CCrypto

/// The hash that a manifest names for every clip.
enum SHA256 {
    /// - Returns: 64 lower-case hex digits.
    static func hex(_ bytes: [UInt8]) -> String {
        var digest: [UInt8] = Array(repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        let done = EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
        precondition(done == 1, "EVP_Digest of SHA-256 cannot fail")
        return Hex.text(digest.prefix(Int(length)))
    }
}
