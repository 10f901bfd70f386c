// The words after a verb, read by getopt_long as GNU programs read them: long options by any unambiguous beginning,
// `--name=value`, options and operands in any order, `--` before operands that begin with a dash.

import CLinux
import Glibc

/// One option of a verb.
package struct CommandOption: Sendable {
    package var name: String
    /// What the value is called in the help; nil for an option that takes none.
    package var value: String?
    package var short: Character?
    package var help: String

    package init(_ name: String, value: String? = nil, short: Character? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.short = short
        self.help = help
    }
}

/// Why the words of a command line cannot be read.
package enum CommandFault: Error, Equatable, Sendable {
    case unknownOption(String)
    case valueMissing(String)

    package var message: String {
        switch self {
        case .unknownOption(let word): "there is no option \(word)"
        case .valueMissing(let word): "\(word) needs a value"
        }
    }
}

/// Options and operands of a verb, read by getopt_long.
package struct CommandWords: Equatable, Sendable {
    private var values: [String: [String]] = [:]
    package private(set) var operands: [String] = []

    /// - Parameter words: without the program's name and the verb.
    package init(_ words: [String], options: [CommandOption]) throws(CommandFault) {
        try read(words, options: options)
    }

    package func has(_ name: String) -> Bool { values[name] != nil }

    /// The last value given.
    package subscript(name: String) -> String? { values[name]?.last }

    private mutating func read(_ words: [String], options: [CommandOption]) throws(CommandFault) {
        var arguments: [UnsafeMutablePointer<CChar>?] = (["counterbox"] + words).map { strdup($0) }
        let owned = arguments
        arguments.append(nil)
        var names = options.map { strdup($0.name) }
        names.append(nil)
        defer {
            for pointer in owned + names { free(pointer) }
        }
        var long = options.enumerated().map { i, option in
            CLinux.option(name: names[i], has_arg: option.value == nil ? 0 : 1, flag: nil, val: 256 + Int32(i))
        }
        long.append(CLinux.option())
        var short = ":"
        for option in options where option.short != nil {
            short += String(option.short ?? " ") + (option.value == nil ? "" : ":")
        }
        clinux_getopt_restart()
        let count = Int32(owned.count)
        while true {
            let at = max(1, Int(clinux_optind()))
            let found = clinux_getopt_long(count, &arguments, short, long)
            if found == -1 { break }
            // getopt moves operands behind the options, so the word is looked up where it stands now.
            let word = String(cString: arguments[max(1, Int(clinux_optind()) - 1)] ?? arguments[at]!)
            if found == Int32(UInt8(ascii: "?")) { throw .unknownOption(word) }
            if found == Int32(UInt8(ascii: ":")) { throw .valueMissing(word) }
            let known =
                found >= 256
                ? options[Int(found) - 256]
                : options.first { $0.short?.asciiValue.map(Int32.init) == found }
            guard let known else { throw .unknownOption(word) }
            values[known.name, default: []].append(clinux_optarg().map { String(cString: $0) } ?? "")
        }
        operands = arguments[Int(clinux_optind())..<Int(count)].compactMap { $0.map { String(cString: $0) } }
    }
}
