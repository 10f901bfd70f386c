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
}
