// Which connection speaks for which hub name: the newest one welcomed.

/// - Parameter Connection: what the caller names a connection with.
package struct HubRoster<Connection: Hashable & Sendable>: Sendable {
    /// A hub's name and the connection that speaks for it.
    package struct Entry: Sendable {
        package let hub: String
        package let connection: Connection
    }

    /// In the order welcomed. Few: a listening box takes sixteen connections.
    package private(set) var entries: [Entry] = []

    package init() {}

    /// - Returns: the older connection of this name, which is to be closed as `replaced`.
    package mutating func welcomed(_ hub: String, _ connection: Connection) -> Connection? {
        let older = self.connection(of: hub)
        entries.removeAll { $0.hub == hub || $0.connection == connection }
        entries.append(Entry(hub: hub, connection: connection))
        return older == connection ? nil : older
    }

    /// The connection is gone.
    ///
    /// - Returns: the hub name that has no connection now; nil where another one, or none, had taken its place.
    @discardableResult
    package mutating func closed(_ connection: Connection) -> String? {
        guard let i = entries.firstIndex(where: { $0.connection == connection }) else { return nil }
        return entries.remove(at: i).hub
    }

    /// Where the outcomes of this hub's pushes go; nil while they wait for one.
    package func connection(of hub: String) -> Connection? {
        entries.first { $0.hub == hub }?.connection
    }
}
