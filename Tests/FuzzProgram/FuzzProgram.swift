// libFuzzer's side of the fuzzers: it brings the program's own `main` and calls this with one input after another. Which
// subject is meant is in COUNTERBOX_FUZZ.

import FuzzSubjects
import Glibc

private let subject: FuzzSubject = {
    let name = getenv("COUNTERBOX_FUZZ").map { String(cString: $0) } ?? ""
    guard let subject = FuzzSubject.named(name) else { fatalError("COUNTERBOX_FUZZ names no subject") }
    return subject
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    subject.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// SwiftPM gives the linker this name for the entry of an executable; libFuzzer's own `main` is the real one.
@_cdecl("fuzz_main")
public func unused() {}
