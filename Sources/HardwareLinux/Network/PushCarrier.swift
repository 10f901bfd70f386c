// What every way to carry push connections has in common: TCP or TLS, dialled or listened for.

import HardwareInterface

/// What carries push connections.
package protocol PushCarrier: NetworkDevice {
    /// There are connections, closing ones included.
    var hasConnections: Bool { get }
}
