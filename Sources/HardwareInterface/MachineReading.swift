// What the machine around the box says of itself, read in one go.

/// Room, heat, supply and network of the machine at one moment; nil where it does not tell.
package struct MachineReading: Equatable, Sendable {
    /// Bytes that the box may still write in its state folder.
    package var diskFree: Int64?
    /// Bytes of memory that programs can still get.
    package var memoryFree: Int64?
    /// Thousandths of a degree Celsius, of the hottest place that is told.
    package var temperature: Int?
    /// nil where the board does not tell.
    package var hasUnderVoltage: Bool?
    /// Since the machine started.
    package var hadUnderVoltage: Bool?
    package var network = NetworkReading()

    package init() {}
}

/// Links, routes and name servers.
package struct NetworkReading: Equatable, Sendable {
    /// Without the loopback one, by name.
    package var links: [NetworkLink] = []
    /// Of the default routes.
    package var gateways: [String] = []
    package var nameServers: [String] = []

    package init() {}

    /// What others can reach: addresses of links that are up, link-local ones left out.
    package var addresses: [String] { links.filter(\.hasCarrier).flatMap(\.addresses) }
}

/// One link of the machine: its addresses, and for a wireless one the signal in dBm.
package struct NetworkLink: Equatable, Sendable {
    package var name: String
    package var isWireless: Bool
    /// A cable with something at its other end, or a wireless network joined.
    package var hasCarrier: Bool
    package var addresses: [String]
    /// Of a wireless link, in dBm.
    package var signal: Int?

    package init(
        name: String, isWireless: Bool = false, hasCarrier: Bool, addresses: [String] = [], signal: Int? = nil
    ) {
        self.name = name
        self.isWireless = isWireless
        self.hasCarrier = hasCarrier
        self.addresses = addresses
        self.signal = signal
    }
}
