// Outgoing connections to one place: `tcp://HOST:PORT` or `tls://HOST:PORT`.

import BoxFoundation
import HardwareInterface
import HardwareLinux

/// A `tcp://` or `tls://` address as `counterbox push` and a hub's boxes are given it.
package struct PushTarget: Sendable {
    package let place: HostAndPort
    package let usesTLS: Bool
    let ca: String?

    /// - Parameter ca: a PEM file with the only certificates to trust; nil is the system's trust.
    package init?(_ url: String, ca: String? = nil) {
        usesTLS = url.hasPrefix("tls://")
        guard usesTLS || url.hasPrefix("tcp://"), let place = HostAndPort(String(url.dropFirst("tcp://".count))) else {
            return nil
        }
        self.place = place
        self.ca = ca
    }
}

/// Dials one ``PushTarget`` as often as it is told to, over TCP or TLS.
package final class PushDialler: PushCarrier {
    private enum Way {
        case plain(TCPClient)
        case secure(TLSClient)
    }

    private let way: Way
    private let place: HostAndPort

    package init(_ target: PushTarget, on loop: any DescriptorLoop) {
        place = target.place
        way = target.usesTLS ? .secure(TLSClient(on: loop, ca: target.ca)) : .plain(TCPClient(on: loop))
    }

    /// Begins to connect: `opened` follows, or `closed`. Certificates are judged by the system's clock.
    package func dial() -> ConnectionID {
        switch way {
        case .plain(let client): client.dial(place)
        case .secure(let client): client.dial(place, judgingAt: SystemClock().read().time)
        }
    }

    private var carrier: any PushCarrier {
        switch way {
        case .plain(let client): client
        case .secure(let client): client
        }
    }

    package func send(_ bytes: [UInt8], on connection: ConnectionID) { carrier.send(bytes, on: connection) }
    package func close(_ connection: ConnectionID) { carrier.close(connection) }
    package var hasConnections: Bool { carrier.hasConnections }
}
