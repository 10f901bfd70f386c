// What stands in the place of a device that a box does not have: `none` in the configuration, or nothing on the board. It
// behaves as a device does that was never there.

import BoxFoundation

/// No speaker: every call fails as on a device that is gone.
package final class AbsentSpeaker: SpeakerDevice {
    package init() {}
    package func open(rate: Int) throws(SpeakerError) -> SpeakerFormat { throw .gone }
    package func write(_ samples: ArraySlice<Int16>) throws(SpeakerError) -> Int { throw .gone }
    package func unplayed() throws(SpeakerError) -> Int { throw .gone }
    package func awaitRoom() {}
    package func recover() throws(SpeakerError) { throw .gone }
    package func drop() {}
    package func close() {}
}

/// No printer: it is never connected, and says that it is absent.
package final class AbsentPrinter: PrinterDevice {
    private let loop: any EventLoop

    package init(on loop: any EventLoop) { self.loop = loop }

    package func connect() { loop.post(.printer(.lost(.absent))) }
    package func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int { throw .absent }
    package func unsent() -> Int { 0 }
    package func awaitRoom() {}
    package func disconnect() {}
}

/// No light.
package final class AbsentLight: LightDevice {
    package init() {}
    package func set(brightness: Int) {}
}

/// No console: what is written is gone.
package final class AbsentConsole: ConsoleDevice {
    package init() {}
    package func write(_ bytes: [UInt8]) {}
    package var dropped: Int { 0 }
}

/// No network: no connection ever comes.
package final class AbsentNetwork: NetworkDevice {
    package init() {}
    package func send(_ bytes: [UInt8], on connection: ConnectionID) {}
    package func close(_ connection: ConnectionID) {}
}

/// No Bluetooth adapter: a search fails at once.
package final class AbsentRadio: BluetoothRadio {
    private let loop: any EventLoop

    package init(on loop: any EventLoop) { self.loop = loop }

    package func startSearch() { loop.post(.bluetooth(.searchFailed(.noAdapter))) }
    package func stopSearch() {}
    package func pair(_ address: String) { loop.post(.bluetooth(.pairingFailed(.notFound))) }
    package func answer(pin: String?) {}
    package func forget(_ address: String) {}
    package func rest() {}
}
