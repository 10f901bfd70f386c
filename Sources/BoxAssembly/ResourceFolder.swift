// Where the files that come with the firmware lie: voice packs, printer profiles, receipt templates, boards.

import BoxFoundation
import Glibc
import HardwareLinux

/// The folder of what comes with the firmware: that of `COUNTERBOX_RESOURCES`, the checkout's, or the installed one.
package struct ResourceFolder: Sendable {
    /// Of a file that comes with the firmware.
    package static let mostFileBytes = 8 << 20
    package static let missing =
        "the files that come with counterbox are not found: set COUNTERBOX_RESOURCES to their folder"
    /// Where the package puts them.
    private static let installed = "/usr/share/counterbox"

    package let path: String

    /// - Returns: the folder that COUNTERBOX_RESOURCES names, else `Resources` of the checkout that the program was
    ///   built in, else the installed one; nil where there is none.
    package static func find() -> ResourceFolder? {
        let named = getenv("COUNTERBOX_RESOURCES").map { String(cString: $0) }
        let candidates = named.map { [$0] } ?? (aboveProgram.map { $0 + "/Resources" } + [installed])
        return candidates.first { access($0 + "/voice", R_OK) == 0 }.map(ResourceFolder.init(path:))
    }

    /// The folder of the boards, likewise.
    package static func findBoards() -> String? {
        let named = getenv("COUNTERBOX_BOARDS").map { String(cString: $0) }
        let candidates = named.map { [$0] } ?? (aboveProgram.map { $0 + "/board" } + [installed + "/board"])
        return candidates.first { access($0, R_OK) == 0 }
    }

    package func read(_ name: String) -> [UInt8]? { try? Files.read(path + "/" + name, limit: Self.mostFileBytes) }

    /// The program's folder and those above it, up to the root.
    private static var aboveProgram: [String] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        guard count > 0 else { return [] }
        var path = Substring(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var folders: [String] = []
        while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            path = path[..<slash]
            folders.append(String(path))
        }
        return folders
    }
}
