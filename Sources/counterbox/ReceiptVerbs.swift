// `counterbox receipt`: markup to what a printer takes, to text or to a picture, and a printer's bytes back.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareLinux
import ReceiptPrinting

enum ReceiptVerbs {
    private static let usualPrinter = "generic-58mm"
    /// Characters of a line, as a profile has them.
    private static let columns = 16...255
    /// Of a file with markup or data.
    private static let mostMarkupBytes = 1 << 20
    /// Of a file with a printer's bytes.
    private static let mostPrinterBytes = 2 << 20

    private static let printerOptions = [
        CommandOption("printer", value: "PROFILE", "a profile in Resources/printers (default \(usualPrinter))"),
        CommandOption(
            "columns", value: "N", "another width than the printer's, \(columns.lowerBound) to \(columns.upperBound)"),
        CommandOption("encoding", value: "NAME", "another encoding than the printer's, as iconv -l lists it"),
    ]
    private static let out = CommandOption(
        "out", value: "FILE", short: "o", "writes there and not to standard output")

    static let render = Verb(
        name: "receipt render", operands: "FILE",
        summary: "sets a receipt: ReceiptLine markup, or with --data a template; - reads standard input",
        options: [CommandOption("data", value: "FILE.json", "fills a template's places; - reads standard input")]
            + printerOptions + [
                CommandOption("language", value: "LANGUAGE", "of a template's words: zh-CN (default) or en"),
                CommandOption("as", value: "FORM", "escpos (default), text or svg"), out,
            ], run: runRender)

    static let decode = Verb(
        name: "receipt decode", operands: "FILE",
        summary: "shows what a printer prints of ESC/POS bytes; - reads standard input",
        options: printerOptions + [CommandOption("as", value: "FORM", "text (default), svg or commands"), out],
        run: runDecode)

    private static func runRender(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        let file = try operand(words)
        if file == "-", words["data"] == "-" { throw .usage("only one of FILE and --data can be standard input") }
        let form: ReceiptRendering.Form = try words.choice("as") ?? .escpos
        let maker = try maker(words)
        let source = try read(file, limit: mostMarkupBytes)
        let data = try words["data"].map { (name) throws(VerbFailure) in try json(name) }
        let bytes: [UInt8]
        do throws(ReceiptFault) {
            bytes = try ReceiptRendering.render(source, data: data, as: form, with: maker)
        } catch {
            throw .failure(name(file) + (error.line > 0 ? ", " : ": ") + error.message)
        }
        return try write(bytes, to: words["out"])
    }

    private static func runDecode(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        let file = try operand(words)
        let form: ReceiptRendering.DecodedForm = try words.choice("as") ?? .text
        let profile = try profile(words, resources())
        let bytes = try read(file, limit: mostPrinterBytes)
        let shown: [UInt8]
        do throws(ReceiptFault) {
            shown = try ReceiptRendering.decode(bytes, as: form, with: profile)
        } catch {
            throw .failure("\(name(file)): \(error.message)")
        }
        return try write(shown, to: words["out"])
    }

    private static func operand(_ words: CommandWords) throws(VerbFailure) -> String {
        guard words.operands.count == 1 else { throw .usage("give one FILE, or - for standard input") }
        return words.operands[0]
    }

    // MARK: - The printer

    private static func resources() throws(VerbFailure) -> ResourceFolder {
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        return resources
    }

    private static func maker(_ words: CommandWords) throws(VerbFailure) -> ReceiptMaker {
        let resources = try resources()
        let language = words["language"] ?? "zh-CN"
        guard !language.contains("/"), resources.read("receipts/words/\(language).json") != nil else {
            throw .usage("--language \(language): there are no words of that language in Resources/receipts/words")
        }
        let profile = try profile(words, resources)
        do throws(PrinterProfileFault) {
            return try ReceiptMaker(profile: profile, language: language, resources: resources.read)
        } catch {
            throw .failure(error.message)
        }
    }

    private static func profile(
        _ words: CommandWords, _ resources: ResourceFolder
    ) throws(VerbFailure) -> PrinterProfile {
        let profile: PrinterProfile
        do throws(PrinterProfileFault) {
            profile = try PrinterProfile.load(words["printer"] ?? usualPrinter, from: resources.read)
        } catch {
            throw .failure(error.message)
        }
        let width = try words["columns"].map { (text) throws(VerbFailure) -> Int in
            guard let width = Int(text), columns.contains(width) else {
                throw .usage("--columns \(text): a number from \(columns.lowerBound) to \(columns.upperBound)")
            }
            return width
        }
        guard let profile = profile.with(columns: width, encoding: words["encoding"]) else {
            throw .usage("--encoding \(words["encoding"] ?? ""): iconv does not know it; iconv -l lists what it knows")
        }
        return profile
    }

    // MARK: - Files

    private static func json(_ file: String) throws(VerbFailure) -> JSON {
        let bytes = try read(file, limit: mostMarkupBytes)
        do throws(JSONFault) {
            return try JSONReader.read(bytes)
        } catch {
            throw .failure("\(name(file)), line \(error.line), column \(error.column): \(error.message)")
        }
    }

    private static func read(_ file: String, limit: Int) throws(VerbFailure) -> [UInt8] {
        do throws(SystemError) {
            return file == "-" ? try Files.readStandardInput(limit: limit) : try Files.read(file, limit: limit)
        } catch {
            throw .failure(error.message)
        }
    }

    private static func write(_ bytes: [UInt8], to file: String?) throws(VerbFailure) -> ExitStatus {
        do throws(SystemError) {
            if let file, file != "-" {
                try Files.write(file, bytes)
            } else {
                try Files.writeStandardOutput(bytes)
            }
            return .success
        } catch {
            throw .failure(error.message)
        }
    }

    private static func name(_ file: String) -> String { file == "-" ? "standard input" : file }
}
