// Where a program of the desk or the field dials: `tcp://HOST:PORT` or `tls://HOST:PORT`.

import BoxFoundation
import HardwareInterface
import HardwareLinux

package struct PushTarget: Sendable {
    package let place: HostAndPort
    package let usesTLS: Bool
    private let ca: String?

    /// - Parameter ca: a PEM file with the only certificates to trust; nil is the system's trust.
    package init?(_ url: String, ca: String? = nil) {
        usesTLS = url.hasPrefix("tls://")
        guard usesTLS || url.hasPrefix("tcp://"), let place = HostAndPort(String(url.dropFirst("tcp://".count))) else {
            return nil
        }
        self.place = place
        self.ca = ca
    }

    /// Begins to connect.
    package func dial(on loop: any DescriptorLoop) -> (any NetworkDevice, ConnectionID) {
        guard usesTLS else {
            let client = TCPClient(on: loop)
            return (client, client.dial(place))
        }
        let client = TLSClient(on: loop, ca: ca)
        return (client, client.dial(place, judgingAt: SystemClock().read().time))
    }
}
