// A printer without paper: takes the bytes that a real one takes and keeps what would stand on the roll. It survives any
// bytes; what it does not know it skips as printers do, and names.

/// One printer with what it remembers between bytes. It takes whole jobs: a command may not be split between two.
package struct VirtualPrinter {
    /// What a program may ask of the printer while it prints; the answers are the caller's to send.
    package enum Request: Equatable, Sendable {
        /// `DLE EOT n`, `GS r n`.
        case status(UInt8)
        /// `GS ( H`: echoed when all before it is printed.
        case processID([UInt8])
        /// `GS I n`.
        case identity(UInt8)
    }

    /// Bytes of pictures on one roll, 29 m of 72 a row; with them the roll ends. A few bytes may ask for a large one.
    static let mostPictureBytes = 16 << 20

    package internal(set) var roll: PaperRoll
    package private(set) var requests: [Request] = []
    /// Every command that was read, for people who look for the cause.
    package private(set) var commands: [EscPosCommand] = []

    private var pictureBytes = 0
    let profile: PrinterProfile
    let text: VirtualPrinterText
    var state: VirtualPrinterState
    var graphics = StoredGraphics()
    /// What `ESC &` has drawn, by its byte.
    var ownCharacters: [UInt8: Bitmap] = [:]

    /// - Returns: nil where iconv does not know the profile's encoding.
    package init?(profile: PrinterProfile) {
        guard let text = VirtualPrinterText(profile) else { return nil }
        self.profile = profile
        self.text = text
        roll = PaperRoll(width: profile.dots)
        state = VirtualPrinterState(profile)
    }

    /// Prints a job. What stands in the line at its end is printed too.
    package mutating func print(_ bytes: [UInt8]) {
        var reader = EscPosReader(bytes)
        while let command = reader.next() {
            guard !isFull else { return note("the roll has ended") }
            commands.append(command)
            perform(command)
        }
        if state.isPending { endLine() }
    }

    // MARK: Commands

    private mutating func perform(_ command: EscPosCommand) {
        switch command.kind {
        case .text: printText(command.parameters)
        case .control(let byte): control(byte)
        case .command(0x1B, let code): escape(code, command.parameters)
        case .command(0x1D, let code): group(code, command.parameters)
        case .command(0x1C, let code): file(code, command.parameters)
        case .command(_, let code): dataLink(code, command.parameters)
        case .unknown: note("unknown " + command.name)
        case .truncated: note("ends inside " + command.name)
        }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x0A: endLine()
        case 0x0D: break
        case 0x09: state.tab()
        case 0x0C: if state.isPending { endLine() }
        default: break
        }
    }

    private mutating func escape(_ code: UInt8, _ p: ArraySlice<UInt8>) {
        let n = p.first ?? 0
        switch code {
        case UInt8(ascii: "@"):
            if state.isPending { endLine() }
            state = VirtualPrinterState(profile, y: state.y)
            (graphics, ownCharacters) = (StoredGraphics(), [:])
        case UInt8(ascii: "d"), UInt8(ascii: "e"):
            if state.isPending { endLine(); if n > 0 { feed(lines: Int(n) - 1) } } else { feed(lines: Int(n)) }
        case UInt8(ascii: "J"), UInt8(ascii: "K"):
            if state.isPending { endLine(spacing: Int(n)) } else { state.y += Int(n) }
        case UInt8(ascii: "*"): columnImage(p)
        case UInt8(ascii: "&"): defineCharacters(p)
        case UInt8(ascii: "p"): note("drawer")
        case UInt8(ascii: "B"): note("buzzer")
        case UInt8(ascii: "i"): cut(isFull: true)
        case UInt8(ascii: "m"): cut(isFull: false)
        case UInt8(ascii: "u"), UInt8(ascii: "v"): requests.append(.status(n))
        default: state.escape(code, p)
        }
    }

    private mutating func group(_ code: UInt8, _ p: ArraySlice<UInt8>) {
        switch code {
        case UInt8(ascii: "V"):
            if state.isPending { endLine() }
            let mode = p.first ?? 0
            if p.count > 1 { state.y += Int(p[p.startIndex + 1]) }
            cut(isFull: mode == 0 || mode == 48 || mode == 65 || mode == 97)
        case UInt8(ascii: "v"): raster(p)
        case UInt8(ascii: "("): grouped(p)
        case UInt8(ascii: "8"): graphics(p.dropFirst(5))
        case UInt8(ascii: "*"): define(p)
        case UInt8(ascii: "/"): printDefined(p.first ?? 0)
        case UInt8(ascii: "k"): barcode(p)
        case UInt8(ascii: "r"): requests.append(.status(p.first ?? 0))
        case UInt8(ascii: "I"): requests.append(.identity(p.first ?? 0))
        default: state.group(code, p)
        }
    }

    /// `GS (` and the byte of a function, then a length, then data.
    private mutating func grouped(_ p: ArraySlice<UInt8>) {
        let data = p.dropFirst(3)
        switch p.first {
        case UInt8(ascii: "L"): graphics(data)
        case UInt8(ascii: "k"): symbol(data)
        case UInt8(ascii: "H"): requests.append(.processID(Array(data.dropFirst(2))))
        default: break
        }
    }

    private mutating func file(_ code: UInt8, _ p: ArraySlice<UInt8>) {
        if code == UInt8(ascii: "p") { note("stored picture \(p.first ?? 0)") } else { state.file(code, p) }
    }

    private mutating func dataLink(_ code: UInt8, _ p: ArraySlice<UInt8>) {
        switch code {
        case 0x04: requests.append(.status(p.first ?? 0))
        case 0x14: note(p.first == 1 ? "drawer" : "DLE DC4")
        default: break
        }
    }

    // MARK: Paper

    /// Prints what stands in the line and moves on.
    ///
    /// - Parameter spacing: dots to move; nil is the spacing in force.
    mutating func endLine(spacing: Int? = nil) {
        let isPictures = state.line.isEmpty && state.isPending
        let (glyphs, height) = state.takeLine()
        if !isPictures { roll.items.append(.line(glyphs: glyphs, y: state.y, height: height)) }
        move(by: max(spacing ?? state.lineSpacing, height))
    }

    mutating func feed(lines: Int) {
        guard lines > 0 else { return }
        roll.items.append(.feed(lines: lines))
        move(by: lines * state.lineSpacing)
    }

    mutating func cut(isFull: Bool) {
        roll.items.append(.cut(y: state.y, isFull: isFull))
    }

    mutating func note(_ what: String) { roll.items.append(.note(what)) }

    var isFull: Bool { pictureBytes > Self.mostPictureBytes }

    mutating func add(picture bitmap: Bitmap, x: Int) {
        pictureBytes += bitmap.bytesPerRow * bitmap.height
        roll.items.append(.picture(bitmap, x: x, y: state.y))
    }

    mutating func add(code name: String, _ data: String, _ bitmap: Bitmap, x: Int) {
        pictureBytes += bitmap.bytesPerRow * bitmap.height
        roll.items.append(.code(name: name, data: data, bitmap, x: x, y: state.y))
        move(by: bitmap.height)
    }

    mutating func move(by dots: Int) {
        state.y += dots
        roll.length = max(roll.length, state.y)
    }
}
