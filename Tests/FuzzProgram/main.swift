// One of the fuzzers: COUNTERBOX_FUZZ names the subject, the arguments are libFuzzer's.

import FuzzSubjects
import Glibc

/// libFuzzer's own loop (FuzzerInterface.h): it ends the process where an input breaks something.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

enum Chosen {
    static let subject: FuzzSubject = {
        let name = getenv("COUNTERBOX_FUZZ").map { String(cString: $0) } ?? ""
        guard let subject = FuzzSubject.named(name) else { fatalError("COUNTERBOX_FUZZ names no subject") }
        return subject
    }()
}

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
    runFuzzer(&count, &arguments) { bytes, count in
        Chosen.subject.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    })
