// Reads and checks a printer profile; a fault names its line and what to write instead.

import BoxFoundation

extension PrinterProfile {
    /// Loads `printers/<id>.json`.
    ///
    /// - Parameter resources: the bytes of a file below `Resources`; nil where there is none.
    package static func load(
        _ id: String, from resources: (String) -> [UInt8]?
    ) throws(PrinterProfileFault) -> PrinterProfile {
        let file = "printers/\(id).json"
        guard ResourceName.isValid(id), let bytes = resources(file) else {
            throw PrinterProfileFault(
                file: file, line: nil, what: "there is no such printer profile; name one of Resources/printers")
        }
        return try read(bytes, id: id, file: file)
    }

    package static func read(_ bytes: [UInt8], id: String, file: String) throws(PrinterProfileFault) -> PrinterProfile {
        let json: JSON
        do throws(JSONFault) {
            json = try JSONReader.read(bytes, as: .json5)
        } catch {
            throw PrinterProfileFault(file: file, line: error.line, what: error.message)
        }
        guard let object = json.object else {
            throw PrinterProfileFault(file: file, line: 1, what: "a profile is an object {…}")
        }
        return try PrinterProfileReader(file: file).profile(object, id: id)
    }
}

/// Names of resources come from configuration and payloads: they never leave their folder.
enum ResourceName {
    static let mostLength = 64

    static func isValid(_ name: String) -> Bool {
        guard (1...mostLength).contains(name.utf8.count), name.utf8.first != UInt8(ascii: "-") else { return false }
        return name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

private struct PrinterProfileReader {
    let file: String

    func profile(_ object: JSONObject, id: String) throws(PrinterProfileFault) -> PrinterProfile {
        let features = try self.object(object, "features")
        let media = try self.object(object, "media")
        let width = try self.object(media, "width")
        let encoding = try text(object, "encoding", default: nil)
        let profile = PrinterProfile(
            id: id, name: try text(object, "name", default: id) ?? id,
            columns: try columns(object),
            dots: try number(width, "pixels", 96...4096, default: nil),
            resolution: try number(media, "dpi", 90...600, default: 203),
            encoding: encoding,
            codePages: try codePages(object, isNeeded: encoding == nil),
            modeCommands: try hex(object, "modeCommands"),
            cutter: try cutter(features),
            feedBeforeCut: try number(object, "feedBeforeCut", 0...20, default: nil),
            hasQRCode: try flag(features, "qrCode"),
            hasBarcodes: try flag(features, "barcodeB"),
            raster: try raster(features),
            stripHeight: try number(object, "stripHeight", 8...4095, default: 255),
            pace: try number(object, "pace", 100...1_000_000, default: nil),
            buffer: try number(object, "buffer", 256...1 << 20, default: nil),
            rfcommChannel: try number(object, "rfcommChannel", 1...30, default: 1),
            pin: try text(object, "pin", default: nil),
            confirms: try choice(object, "confirms", default: PrinterProfile.Confirmation.none),
            statusQueries: try flag(object, "statusQueries", default: true),
            drawerCommand: try hex(object, "drawerCommand"),
            buzzerCommand: try hex(object, "buzzerCommand"))
        try checkNames(object)
        try check(profile, object)
        return profile
    }

    private func check(_ profile: PrinterProfile, _ object: JSONObject) throws(PrinterProfileFault) {
        guard profile.makeEncoding() != nil else {
            let name = profile.encoding == nil ? "codePages" : "encoding"
            throw fault(object, name, "iconv does not know this encoding; write a name that `iconv -l` lists")
        }
        guard profile.dots / profile.columns >= 8 else {
            throw fault(object, "fonts", "\(profile.columns) columns do not fit \(profile.dots) dots")
        }
    }

    private static let names: Set<String> = [
        "name", "vendor", "notes", "features", "codePages", "colors", "fonts", "media", "encoding", "modeCommands",
        "feedBeforeCut", "stripHeight", "pace", "buffer", "rfcommChannel", "pin", "confirms", "statusQueries",
        "drawerCommand", "buzzerCommand",
    ]

    private func checkNames(_ object: JSONObject) throws(PrinterProfileFault) {
        for member in object.members where !Self.names.contains(member.name) {
            throw fault(object, member.name, "there is no \"\(member.name)\" in a profile")
        }
    }

    // MARK: Parts

    /// Of font 0, as in the public data base.
    private func columns(_ object: JSONObject) throws(PrinterProfileFault) -> Int {
        let fonts = try self.object(object, "fonts")
        return try number(try self.object(fonts, "0"), "columns", 16...255, default: nil)
    }

    private func cutter(_ features: JSONObject) throws(PrinterProfileFault) -> PrinterProfile.Cutter {
        if try flag(features, "paperPartCut") { return .partial }
        return try flag(features, "paperFullCut") ? .full : .none
    }

    private func raster(_ features: JSONObject) throws(PrinterProfileFault) -> PrinterProfile.Raster {
        if try flag(features, "bitImageRaster") { return .raster }
        return try flag(features, "graphics") ? .graphics : .column
    }

    private func codePages(_ object: JSONObject, isNeeded: Bool) throws(PrinterProfileFault) -> [PrinterEncoding.Page] {
        var pages: [PrinterEncoding.Page] = []
        for member in try self.object(object, "codePages").members {
            guard let number = UInt8(member.name), let name = member.value.string else {
                throw PrinterProfileFault(
                    file: file, line: Int(member.line),
                    what: "a code page is written \"number\": \"name\", as \"0\": \"CP437\"")
            }
            // The public data base names what it does not know.
            if name != "Unknown" { pages.append(PrinterEncoding.Page(number: number, name: name)) }
        }
        if isNeeded, pages.isEmpty {
            throw fault(object, "codePages", "a profile needs an \"encoding\" or its \"codePages\"")
        }
        return pages
    }

    // MARK: Values

    private func object(_ object: JSONObject, _ name: String) throws(PrinterProfileFault) -> JSONObject {
        guard let member = object.member(name) else { return JSONObject() }
        guard let value = member.value.object else { throw fault(object, name, "\"\(name)\" is an object {…}") }
        return value
    }

    private func flag(
        _ object: JSONObject, _ name: String, default value: Bool = false
    ) throws(PrinterProfileFault) -> Bool {
        guard let member = object.member(name) else { return value }
        guard let value = member.value.bool else { throw fault(object, name, "\"\(name)\" is true or false") }
        return value
    }

    private func number(
        _ object: JSONObject, _ name: String, _ range: ClosedRange<Int>, default value: Int?
    ) throws(PrinterProfileFault) -> Int {
        guard let member = object.member(name) else {
            if let value { return value }
            throw fault(
                object, name, "\"\(name)\" is missing; write a number from \(range.lowerBound) to \(range.upperBound)")
        }
        guard let number = member.value.integer.map(Int.init), range.contains(number) else {
            throw fault(object, name, "\"\(name)\" is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func text(
        _ object: JSONObject, _ name: String, default value: String?
    ) throws(PrinterProfileFault) -> String? {
        guard let member = object.member(name) else { return value }
        guard let text = member.value.string, !text.isEmpty else { throw fault(object, name, "\"\(name)\" is a text") }
        return text
    }

    private func hex(_ object: JSONObject, _ name: String) throws(PrinterProfileFault) -> [UInt8] {
        guard let member = object.member(name) else { return [] }
        guard let text = member.value.string, let bytes = Hex.bytes(String(text.filter { $0 != " " })) else {
            throw fault(object, name, "\"\(name)\" is bytes in lower-case hex, as \"1c 26\"")
        }
        return bytes
    }

    private func choice<Choice: RawRepresentable & CaseIterable>(
        _ object: JSONObject, _ name: String, default value: Choice
    ) throws(PrinterProfileFault) -> Choice where Choice.RawValue == String {
        guard let member = object.member(name) else { return value }
        guard let choice = member.value.string.flatMap(Choice.init(rawValue:)) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw fault(object, name, "\"\(name)\" is one of \(choices)")
        }
        return choice
    }

    private func fault(_ object: JSONObject, _ name: String, _ what: String) -> PrinterProfileFault {
        let line = object.member(name)?.line ?? object.members.first?.line ?? 1
        return PrinterProfileFault(file: file, line: Int(line), what: what)
    }
}
