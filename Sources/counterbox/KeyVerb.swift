// `counterbox key new`: the secret that a box shares with its hub.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareLinux
import PushProtocol

enum KeyVerb {
    static let new = Verb(
        name: "key new", operands: "[FILE]",
        summary: "makes a box's key: 64 hex digits into FILE (mode 0600, never over an old one), or to standard output",
        options: [],
        run: { words throws(VerbFailure) in
            var random = SystemRandomNumberGenerator()
            let key = BoxKey(using: &random)
            guard let path = words.operands.first else {
                Terminal.print(key.hex)
                return .success
            }
            guard words.operands.count == 1 else { throw .usage("key new takes one FILE") }
            do throws(AssemblyFault) {
                try KeyFile.write(key, to: path)
            } catch {
                throw .failure(error.message)
            }
            return .success
        })

    static let nkey = Verb(
        name: "key nkey", operands: "FILE",
        summary:
            "makes the key of a fleet's box: the seed into FILE (mode 0600, never over an old one); prints the public "
            + "key for the NATS server's configuration",
        options: [],
        run: { words throws(VerbFailure) in
            guard words.operands.count == 1 else { throw .usage("key nkey takes one FILE") }
            var random = SystemRandomNumberGenerator()
            let key = NKey(using: &random)
            do throws(SystemError) {
                guard let publicKey = key.publicKey else {
                    throw SystemError("libcrypto has no Ed25519", errno: ENOSYS)
                }
                try Files.create(words.operands[0], Array((key.seed + "\n").utf8))
                Terminal.print(publicKey)
            } catch {
                throw .failure(error.message)
            }
            return .success
        })
}
