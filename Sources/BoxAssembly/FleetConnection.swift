// How a fleet's box reaches its server, by the configuration.

import BoxSettings
import HardwareLinux

/// The device that reaches a fleet's server.
package enum FleetConnection {
    /// - Returns: nil where the box is of no fleet.
    package static func device(
        _ settings: PushSettings?, box: String, on loop: any DescriptorLoop
    ) throws(AssemblyFault) -> NATSFleet? {
        guard case .nats(let nats)? = settings else { return nil }
        do throws(SystemError) {
            return try NATSFleet(
                NATSFleet.Settings(
                    servers: nats.servers, usesTLS: nats.usesTLS, ca: nats.ca, credentials: nats.credentials,
                    name: "counterbox \(box)"), on: loop)
        } catch {
            throw AssemblyFault(error.message)
        }
    }
}
