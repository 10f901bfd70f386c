// Where boxes dial in.

import BoxAssembly
import BoxFoundation
import HardwareInterface
import HardwareLinux

enum HubListener {
    /// A whole fleet may come back at once; a handshake of TLS takes milliseconds.
    private static let mostHandshakes = 1024

    static func open(
        _ settings: HubSettings, on loop: EpollLoop, mostConnections: Int
    ) throws(ListenError) -> (any PushCarrier, SocketAddress) {
        guard let certificate = settings.certificate, let key = settings.key else {
            let listener = try TCPListener(
                on: settings.address, loop: loop, log: HubLog(), mostConnections: mostConnections)
            Terminal.complain("listening on tcp://\(listener.address)")
            return (listener, listener.address)
        }
        let context: TLSContext
        do {
            context = try TLSContext.server(certificate: certificate, key: key)
        } catch {
            throw .noTLS(error)
        }
        let listener = try TLSListener(
            on: settings.address, context, loop: loop, log: HubLog(), mostConnections: mostConnections,
            mostHandshakes: mostHandshakes)
        Terminal.complain("listening on tls://\(listener.address)")
        return (listener, listener.address)
    }
}
