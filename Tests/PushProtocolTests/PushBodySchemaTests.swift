// The JSON Schema of bodies says what the reader does, of the page's samples and of bodies that go wrong.

import BoxFoundation
import Glibc
import PushProtocol
import Testing

@Suite("The schema of bodies")
struct PushBodySchemaTests {
    private let schema: Schema

    init() throws { schema = Schema(root: try JSONReader.read(try Self.file("docs/push-body.schema.json"))) }

    @Test("Every sample of the virtual counter fits where the box takes it, and is refused where it does not")
    func samples() throws {
        let samples = try #require(try JSONReader.read(try Self.file("Resources/page/samples.json")).array)
        #expect(samples.count >= 11)
        for sample in samples {
            let name = try #require(sample["name"]?.string)
            let body = try JSONReader.read(try #require(sample["body"]?.string))
            let isTaken = (try? PaymentReader.read(body).get()) != nil
            #expect(isTaken == !name.hasPrefix("bad"), "\(name)")
            // How many decimals a currency has is more than a schema can say.
            if isTaken { #expect(schema.fits(body), "\(name)") }
        }
    }

    @Test(
        "What fits is taken",
        arguments: [
            #"{"kind":"payment","amount":"0"}"#, #"{"kind":"refund","fen":1250}"#,
            #"{"kind":"payment","amount":12.50,"currency":"CNY","channel":"member","print":3,"say":false}"#,
            #"{"kind":"payment","amount":"9999999999.99"}"#, #"{"kind":"payment","amount":"500","currency":"JPY"}"#,
            #"{"kind":"notice","say":"打烊了"}"#, #"{"kind":"notice","receipt":{"markup":"x"}}"#,
            #"{"kind":"payment","amount":"1","receipt":{"template":"order","data":{}}}"#, #"{"aps":{}}"#,
            #"{"aps":{"alert":"x"},"isVoice":"1"}"#,
        ])
    func good(text: String) throws {
        let body = try JSONReader.read(text)
        #expect(schema.fits(body))
        #expect((try? PaymentReader.read(body).get()) != nil)
    }

    @Test(
        "What the box refuses does not fit",
        arguments: [
            "[]", "{}", #"{"kind":"gift","amount":"1"}"#, #"{"kind":"payment"}"#, #"{"kind":"payment","amount":"01"}"#,
            #"{"kind":"payment","amount":"1."}"#, #"{"kind":"payment","amount":-1}"#,
            #"{"kind":"payment","amount":true}"#,
            #"{"kind":"payment","amount":"１"}"#, #"{"kind":"payment","amount":"10000000000"}"#,
            #"{"kind":"payment","fen":1.5}"#, #"{"kind":"payment","fen":-1}"#,
            #"{"kind":"payment","fen":1000000000000}"#,
            #"{"kind":"payment","amount":"1","currency":"yuan"}"#, #"{"kind":"notice"}"#,
            #"{"kind":"notice","say":true}"#,
            #"{"aps":"x"}"#, #"{"alert":"x"}"#,
        ])
    func bad(text: String) throws {
        let body = try JSONReader.read(text)
        #expect(!schema.fits(body))
        #expect((try? PaymentReader.read(body).get()) == nil)
    }

    @Test("Every body on the pages fits and is taken", arguments: ["docs/push-protocol.md", "docs/integrator.md"])
    func pages(page: String) throws {
        let text = String(decoding: try Self.file(page), as: UTF8.self)
        let blocks = text.split(separator: "```json\n", omittingEmptySubsequences: false).dropFirst()
            .map { $0.split(separator: "```").first ?? "" }
        let codes = text.split(separator: "`").filter { $0.hasPrefix("{\"aps\"") }
        #expect(!blocks.isEmpty && (codes.count == 5 || page != "docs/push-protocol.md"))
        for body in blocks + codes {
            let body = try JSONReader.read(String(body))
            #expect(schema.fits(body))
            #expect((try? PaymentReader.read(body).get()) != nil)
        }
    }

    private static func file(_ name: String) throws -> [UInt8] {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let file = try #require(fopen("\(root)/\(name)", "rb"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
        return bytes
    }
}

/// As much of JSON Schema (draft 2020-12) as that file uses; a word that is not known fits nothing.
private struct Schema {
    private static let told: Set = ["$schema", "$defs", "title", "description"]

    let root: JSON

    func fits(_ value: JSON) -> Bool { fits(value, root) }

    private func fits(_ value: JSON, _ schema: JSON) -> Bool {
        (schema.object?.members ?? []).allSatisfy { Self.told.contains($0.name) || fits(value, $0.name, $0.value) }
    }

    private func fits(_ value: JSON, _ word: String, _ rule: JSON) -> Bool {
        switch word {
        case "$ref":
            guard let name = rule.string?.split(separator: "/").last, let schema = root["$defs"]?[String(name)] else {
                return false
            }
            return fits(value, schema)
        case "anyOf": return (rule.array ?? []).contains { fits(value, $0) }
        case "type": return (rule.array ?? [rule]).contains { $0.string == type(of: value) || isWhole(value, $0) }
        case "enum": return (rule.array ?? []).contains(value)
        case "required":
            return value.object.map { o in (rule.array ?? []).allSatisfy { o[$0.string ?? ""] != nil } } ?? true
        case "properties":
            return (rule.object?.members ?? []).allSatisfy { member in
                value[member.name].map { fits($0, member.value) } ?? true
            }
        case "pattern":
            guard let text = value.string, let pattern = rule.string, let regex = try? Regex(pattern) else {
                return true
            }
            return text.firstMatch(of: regex) != nil
        case "minimum": return compared(value, rule) { $0 >= $1 }
        case "maximum": return compared(value, rule) { $0 <= $1 }
        case "exclusiveMaximum": return compared(value, rule) { $0 < $1 }
        default: return false
        }
    }

    private func isWhole(_ value: JSON, _ rule: JSON) -> Bool { rule == "integer" && value.integer != nil }

    private func compared(_ value: JSON, _ rule: JSON, _ holds: (Double, Double) -> Bool) -> Bool {
        guard let number = value.double, let limit = rule.double else { return true }
        return holds(number, limit)
    }

    private func type(of value: JSON) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
