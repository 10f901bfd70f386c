// What the virtual counter is made with: the box's own configuration, and a printer of the desk's.

import BoxAssembly
import BoxCore
import BoxFoundation
import BoxSettings
import HardwareSimulated
import ReceiptPrinting

enum CounterParts {
    /// Bytes a second that the counter's printer prints: some 50 mm of text, as such printers do.
    static let pace = 700
    static let crawl = 60

    /// The desk has a printer of its own, whatever the configuration says of a real one.
    static func configuration(_ configuration: Configuration, printer: String) -> Configuration {
        var configuration = configuration
        configuration.settings.printer.address = .tcp(host: "desk", port: 9100)
        configuration.settings.printer.profile = printer
        return configuration
    }

    /// Read anew each time that the box gets power: its volume and clock are what it kept.
    static func setup(_ configuration: Configuration) throws(AssemblyFault) -> BoxSetup {
        var setup = try BoxParts.setup(configuration, makesKey: true)
        setup.printer.pace = pace
        return setup
    }

    static func printer(_ profile: PrinterProfile) -> SimulatedPrinterMake {
        var make = SimulatedPrinterMake()
        make.buffer = profile.buffer
        make.bytesPerSecond = pace
        make.answersStatus = profile.statusQueries
        make.confirmsJobs = profile.confirms == .processID
        return make
    }

    /// Where the box takes pushes; empty where it dials its hub.
    static func address(_ configuration: Configuration) -> String {
        guard case .listen(let listen)? = configuration.settings.push else { return "" }
        return listen.address.description
    }
}
