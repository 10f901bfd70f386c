import Glibc
import HardwareLinux

/// A D-Bus daemon of this test's own, on a socket in its own folder; ended with it. Everybody may do everything on it.
package final class PrivateBus {
    package let address: String
    private let folder = TemporaryFolder()
    private var daemon: pid_t = 0

    /// Where the daemon is not installed, a test that needs it says so.
    package static let isInstalled = access("/usr/bin/dbus-daemon", X_OK) == 0

    package init() throws {
        address = "unix:path=\(folder.path)/bus"
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """
        folder.write(Array(configuration.utf8), to: "bus.conf")
        try start()
    }

    deinit { end() }

    /// As when the system's bus goes down.
    package func end() {
        guard daemon > 0 else { return }
        kill(daemon, SIGKILL)
        waitpid(daemon, nil, 0)
        daemon = 0
    }

    /// The daemon writes its address when it listens; that line is waited for.
    private func start() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemError.last("pipe") }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
        let words = [
            "/usr/bin/dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile", "--nosyslog",
            "--print-address=3",
        ]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let result = posix_spawn(&daemon, words[0], &actions, nil, &arguments, environ)
        close(ends[1])
        guard result == 0 else { throw SystemError("start dbus-daemon", errno: result) }
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { throw SystemError("dbus-daemon ended", errno: EPIPE) }
    }
}
