// `counterbox receipt`: markup to what a printer takes, to text.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareLinux
import ReceiptPrinting

enum ReceiptVerbs {
    static let render = Verb(
        name: "receipt render", operands: "FILE",
        summary: "sets a receipt: ReceiptLine markup, or with --data a template; - reads standard input",
        options: [
            CommandOption("data", value: "FILE.json", "fills a template's places"),
            CommandOption("printer", value: "PROFILE", "a profile in Resources/printers (default generic-58mm)"),
            CommandOption("columns", value: "N", "another width than the printer's, for text"),
            CommandOption("as", value: "FORM", "escpos (default) or text"),
            CommandOption("out", value: "FILE", short: "o", "writes there and not to standard output"),
        ], run: runRender)

    private enum Form: String, CaseIterable { case escpos, text }
    private static let mostBytes = 1 << 20

    private static func runRender(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.count == 1 else { throw .usage("receipt render takes one FILE") }
        let form: Form = try words.choice("as") ?? .escpos
        let maker = try makeMaker(words["printer"] ?? "generic-58mm")
        let markup = try markup(words.operands[0], data: words["data"])
        let bytes: [UInt8]
        do throws(ReceiptFault) {
            switch form {
            case .escpos: bytes = try maker.receipt(markup: markup)
            case .text:
                let columns = words["columns"].flatMap { Int($0) } ?? maker.profile.columns
                bytes = Array(
                    try PlainText.text(
                        of: String(decoding: markup, as: UTF8.self), columns: columns, encoding: maker.encoding
                    ).utf8)
            }
        } catch {
            throw .failure("\(words.operands[0]): \(error.message)")
        }
        guard let path = words["out"] else {
            Terminal.write(bytes)
            return .success
        }
        do {
            try Files.write(path, bytes)
        } catch {
            throw .failure(error.message)
        }
        return .success
    }

    private static func makeMaker(_ profile: String) throws(VerbFailure) -> ReceiptMaker {
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        do throws(PrinterProfileFault) {
            let read = { (name: String) in resources.read(name) }
            return try ReceiptMaker(
                profile: PrinterProfile.load(profile, from: read), language: "zh-CN", resources: read)
        } catch {
            throw .failure(error.message)
        }
    }

    /// The file's markup, a template's places filled.
    private static func markup(_ file: String, data: String?) throws(VerbFailure) -> [UInt8] {
        let source = try read(file)
        guard let data else { return source }
        let bytes = try read(data)
        let json: JSON
        do throws(JSONFault) {
            json = try JSONReader.read(bytes)
        } catch {
            throw .failure("\(data), line \(error.line): \(error.message)")
        }
        do throws(ReceiptFault) {
            return try ReceiptTemplate(source).markup(with: json)
        } catch {
            throw .failure("\(file): \(error.message)")
        }
    }

    private static func read(_ path: String) throws(VerbFailure) -> [UInt8] {
        do {
            return try Files.read(path == "-" ? "/dev/stdin" : path, limit: mostBytes)
        } catch {
            throw .failure(error.message)
        }
    }
}
