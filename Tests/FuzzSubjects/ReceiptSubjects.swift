// Receipts of shops, and bytes for printers.

import BoxFoundation
import Glibc
import ReceiptPrinting

enum ReceiptSubjects {
    /// A file below `Resources` of this checkout.
    @Sendable static func resource(_ name: String) -> [UInt8]? { kept[name] }

    /// Read once: a fuzzer makes thousands of receipts a second.
    private static let kept: [String: [UInt8]] = {
        let names =
            ["generic-58mm", "western-80mm"].map { "printers/\($0).json" }
            + ["zh-CN", "en"].map { "receipts/words/\($0).json" }
            + ["payment", "refund", "notice"].map { "receipts/\($0).receipt" }
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in read(name).map { (name, $0) } })
    }()

    private static func read(_ name: String) -> [UInt8]? {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard let file = fopen("/\(root)/Resources/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }

    private static func maker(_ id: String) -> ReceiptMaker {
        do {
            let profile = try PrinterProfile.load(id, from: resource)
            return try ReceiptMaker(profile: profile, language: "zh-CN", resources: resource)
        } catch {
            preconditionFailure("the project's own profile is good")
        }
    }

    /// The first byte takes a printer; what is set comes out of the decoder without a command that it does not know.
    static func markup(_ bytes: [UInt8]) {
        let maker = maker((bytes.first ?? 0) % 2 == 0 ? "generic-58mm" : "western-80mm")
        let source = Array(bytes.dropFirst())
        check(try? maker.receipt(markup: source), maker.profile, source: source)
        _ = try? ReceiptRendering.render(source, data: nil, as: .text, with: maker)
    }

    /// A template, a zero byte, its data.
    static func template(_ bytes: [UInt8]) {
        let maker = maker("generic-58mm")
        let parts = parts(bytes, 2)
        let data = parts.count > 1 ? try? JSONReader.read(parts[1]) : JSON.object(["shop": "好店"])
        let source = Array(parts[0])
        check(try? maker.receipt(source: source, data: data ?? .null, asText: false), maker.profile, source: source)
    }

    /// A PNG inside markup.
    static func picture(_ bytes: [UInt8]) {
        let maker = maker("generic-58mm")
        let source = Array("{image:\(base64(bytes))}\n".utf8)
        check(try? maker.receipt(markup: source), maker.profile, source: source)
    }

    private static func check(_ made: [UInt8]?, _ profile: PrinterProfile, source: [UInt8]) {
        guard let made else { return }
        guard var printer = VirtualPrinter(profile: profile) else { preconditionFailure("the profile's own encoding") }
        printer.print(made)
        _ = (printer.roll.text(showsCodes: true), printer.roll.svg())
        // {command:…} hands bytes to the printer as they are.
        guard !source.contains(UInt8(ascii: "{")) else { return }
        for command in printer.commands {
            switch command.kind {
            case .unknown, .truncated: preconditionFailure("our own bytes are not understood")
            default: break
            }
        }
    }

    /// Bytes of anybody to the virtual printer, shown in every form.
    static func escpos(_ bytes: [UInt8]) {
        let profile = maker((bytes.first ?? 0) % 2 == 0 ? "generic-58mm" : "western-80mm").profile
        let stream = Array(bytes.dropFirst())
        for form in ReceiptRendering.DecodedForm.allCases {
            _ = try? ReceiptRendering.decode(stream, as: form, with: profile)
        }
    }

    /// A printer's data sheet of anybody.
    static func profile(_ bytes: [UInt8]) {
        guard let profile = try? PrinterProfile.read(bytes, id: "fuzz", file: "fuzz.json") else { return }
        precondition(profile.columns > 0 && profile.dots > 0 && profile.pace > 0, "a profile that cannot print")
        guard let maker = try? ReceiptMaker(profile: profile, language: "en", resources: resource) else { return }
        _ = try? maker.receipt(markup: Array("a | b\n-\n{code:123; option:qrcode}\n=\n".utf8))
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for i in stride(from: 0, to: bytes.count, by: 3) {
            let three = bytes[i..<min(i + 3, bytes.count)]
            let bits = three.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - three.count))
            for sign in 0..<4 {
                text.append(sign <= three.count ? signs[bits >> (18 - 6 * sign) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
