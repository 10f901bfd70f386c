// Tries the hub and the printer once, for a doctor who is not the box.

import BoxDoctor
import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux

/// One try of the hub and of the printer, ended by its own time limits; for `counterbox doctor` while no box runs.
package struct LinkProbe {
    /// Long enough for a printer's name and a slow router, short enough for a person who waits.
    private static let limit = Interval.seconds(8)

    private let loop: EpollLoop

    package init(on loop: EpollLoop) { self.loop = loop }

    /// Whether the address can be listened on, or the hub reached; without a proof, which only the box gives.
    package func hub(_ settings: PushSettings?) -> HubFact {
        switch settings {
        case nil: return .unusable
        case .nats(let nats): return .away(url: SupportFile.withoutSecrets(nats.url), .notTriedYet)
        case .listen(let listen):
            let network = PushNetwork(settings, on: loop)
            var trouble: String?
            network.onListening = { trouble = $0 }
            network.open(SilentLog())
            return trouble.map { .cannotListen(address: listen.address.description, $0) }
                ?? .listening(address: listen.address.description)
        case .dial(let dial):
            let network = PushNetwork(settings, on: loop)
            network.dial(judgingAt: SystemClock().read().time)
            return hub(PushSettings.dial(dial).place, end(of: network))
        }
    }

    private enum DialEnd { case opened, closed(String, CertificateFault?), none }

    private func end(of network: PushNetwork) -> DialEnd {
        var fault: CertificateFault?
        return wait { event in
            guard case .network(let event) = event else { return nil }
            switch event {
            case .opened(let connection, _):
                network.close(connection)
                return .opened
            case .distrusted(_, let why):
                fault = why
                return nil
            case .closed(_, let reason): return .closed(reason, fault)
            case .received: return nil
            }
        } ?? .none
    }

    private func hub(_ url: String, _ end: DialEnd) -> HubFact {
        switch end {
        case .opened: .connected(hub: url)
        case .closed(let reason, let fault): .away(url: url, HubTrouble(reason: reason, certificate: fault))
        case .none: .away(url: url, .timedOut)
        }
    }

    /// Whether it can be connected to; its paper and cover are known to the running box alone.
    package func printer(_ address: PrinterAddress) -> PrinterFact {
        guard let printer = PrinterDevices.device(at: address, on: loop) else { return .none }
        printer.connect()
        defer { printer.disconnect() }
        let end: PrinterEvent? = wait { event in
            guard case .printer(let event) = event else { return nil }
            switch event {
            case .connected, .lost: return event
            case .room, .received: return nil
            }
        }
        switch end {
        case .connected?: return .ready(url: address.description)
        case .lost(let error)?: return .failed(address, error, tries: 1)
        case .room?, .received?, nil: return .failed(address, .timedOut, tries: 1)
        }
    }

    private func wait<Found>(for found: (DeviceEvent) -> Found?) -> Found? {
        let deadline = loop.now + Self.limit
        while loop.now < deadline {
            loop.wait(until: deadline)
            while let event = loop.next() { if let found = found(event) { return found } }
        }
        return nil
    }
}

private final class SilentLog: LogSink {
    func log(_ entry: LogEntry) {}
}
