// A `nats-server` with JetStream of this run's own, on loopback and a port that the system chooses.

import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux

/// A `nats-server` of this run's own on loopback, stopped with it.
package final class FleetServer {
    private static let startLimit = 1000

    package let folder: String
    private let settings: String
    private var program: RunningProgram?
    /// The same over restarts.
    package private(set) var port: UInt16 = 0

    /// The program, where Debian puts it or on PATH.
    package static let path: String? = {
        let folders =
            ["/usr/sbin", "/usr/local/bin"]
            + (getenv("PATH").map { String(cString: $0) } ?? "").split(
                separator: ":"
            ).map(String.init)
        return folders.map { $0 + "/nats-server" }.first { access($0, X_OK) == 0 }
    }()

    /// - Parameters:
    ///   - folder: where it keeps its streams; it is there already.
    ///   - settings: more of its configuration: users, TLS.
    package init(in folder: String, settings: String = "") throws(SystemError) {
        self.folder = folder
        self.settings = settings
        try start()
    }

    package var id: Int32 { program?.id ?? 0 }
    package var usage: (resident: Int, processor: Double)? { program?.usage }
    package var url: String { "nats://127.0.0.1:\(port)" }

    package func start() throws(SystemError) {
        guard let path = Self.path else {
            throw SystemError("there is no nats-server: apt-get install nats-server", errno: ENOENT)
        }
        let file = folder + "/server.conf"
        try Files.write(file, Array(configuration.utf8))
        let program = try RunningProgram([path, "-c", file])
        self.program = program
        let ports = "\(folder)/nats-server_\(program.id).ports"
        for _ in 0..<Self.startLimit where program.isRunning {
            usleep(10_000)
            if let port = Self.port(in: ports) {
                self.port = port
                return
            }
        }
        throw SystemError("nats-server did not start: \(lastWords ?? "it says nothing")", errno: ECANCELED)
    }

    /// The last line of its log, which may be gone with its folder by the time somebody looks.
    private var lastWords: String? {
        guard let bytes = try? Files.read(folder + "/server.log", limit: 1 << 20) else { return nil }
        return bytes.split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) }
    }

    /// New users or streams' limits take effect; connections of users that are gone are closed.
    package func reload(settings: String) throws(SystemError) {
        try Files.write(folder + "/server.conf", Array((base + settings).utf8))
        kill(id, SIGHUP)
    }

    package func stop() { program?.stop() }
    /// As a power cut would.
    package func cut() { program?.kill() }

    private var configuration: String { base + settings }

    private var base: String {
        """
        listen: "127.0.0.1:\(port == 0 ? "-1" : String(port))"
        ports_file_dir: "\(folder)"
        log_file: "\(folder)/server.log"
        max_connections: 200000
        jetstream { store_dir: "\(folder)/streams" }

        """
    }

    private static func port(in file: String) -> UInt16? {
        guard let bytes = try? Files.read(file, limit: 4096), let json = try? JSONReader.read(bytes),
            let url = json["nats"]?.array?.first?.string, let colon = url.lastIndex(of: ":")
        else { return nil }
        return UInt16(url[url.index(after: colon)...])
    }
}
