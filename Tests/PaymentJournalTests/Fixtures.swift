// One place that makes folders, records and journals for these tests, with defaults for all that a test does not care for.

import BoxFoundation
import Glibc
import PaymentJournal
import Testing

/// A folder of this test alone, gone with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        let template = try #require(strdup("/tmp/counterbox-journal-XXXXXX"))
        defer { free(template) }
        let made = mkdtemp(template)
        path = String(cString: try #require(made))
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func read(_ name: String) -> [UInt8] {
        guard let file = fopen(path + "/" + name, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    func write(_ bytes: [UInt8], _ name: String) {
        guard let file = fopen(path + "/" + name, "wb") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}

extension PushRecord {
    static func sample(
        _ id: String, hub: String = "till", received: Int64 = 1_700_000_000_000, day: String = "2023-11-14",
        kind: Payment.Kind = .payment, minor: Int64? = 1250, currency: Currency = .cny, wantsVoice: Bool = true,
        copies: Int = 1
    ) -> PushRecord {
        PushRecord(
            hub: hub, id: id, arrived: WallTime(milliseconds: received + 7),
            sent: WallTime(milliseconds: received - 500),
            age: .milliseconds(507), received: WallTime(milliseconds: received), day: day, kind: kind, channel: .wechat,
            amount: minor.map { Money(minor: $0, currency: currency) }, wantsVoice: wantsVoice, copies: copies)
    }
}

extension JournalDatabase {
    /// Does requests as one batch that must succeed.
    func did(_ requests: JournalRequest..., sourceLocation: SourceLocation = #_sourceLocation) -> [JournalReply] {
        let answer = perform(JournalBatch(requests))
        #expect(answer.failure == nil, sourceLocation: sourceLocation)
        return answer.replies
    }

    func take(_ id: String, hub: String = "till", body: String = #"{"kind":"payment"}"#) -> JournalReply? {
        did(.take(.sample(id, hub: hub), body: body)).first
    }

    func entry(_ sequence: Int64) -> JournalEntry? {
        guard case .push(let entry, _) = did(.load(JournalSequence(sequence))).first else { return nil }
        return entry
    }

    var unsettled: [Int64] {
        guard case .entries(let entries) = did(.unsettled(after: nil, most: 1000)).first else { return [] }
        return entries.map(\.sequence.number)
    }
}

extension JournalReply {
    var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
    var duplicated: JournalEntry? { if case .duplicate(let entry, _) = self { entry } else { nil } }
}

extension JournalSequence: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int64) { self.init(number) }
}
