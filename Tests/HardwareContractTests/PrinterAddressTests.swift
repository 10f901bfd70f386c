import HardwareInterface
import Testing

@Suite struct PrinterAddressTests {
    @Test("Every form is read")
    func everyFormIsRead() throws {
        let cases: [(String, PrinterAddress)] = [
            ("none", .none),
            ("tcp://127.0.0.1:9100", .tcp(host: "127.0.0.1", port: 9100)),
            ("tcp://printer.shop", .tcp(host: "printer.shop", port: 9100)),
            ("tcp://[fe80::1]:9101", .tcp(host: "fe80::1", port: 9101)),
            ("file:/dev/usb/lp0", .file(path: "/dev/usb/lp0")),
            ("serial:/dev/ttyUSB0", .serial(path: "/dev/ttyUSB0", baud: 9600)),
            ("serial:/dev/ttyUSB0?baud=115200", .serial(path: "/dev/ttyUSB0", baud: 115_200)),
            ("bluetooth://dc:0d:30:00:00:01", .bluetooth(address: "DC:0D:30:00:00:01", channel: nil)),
            ("bluetooth://DC:0D:30:00:00:01?channel=2", .bluetooth(address: "DC:0D:30:00:00:01", channel: 2)),
        ]
        for (url, address) in cases { #expect(try PrinterAddress(url: url) == address) }
    }

    @Test("A plain file is never asked anything, a printer behind a device file is")
    func whoCanAnswer() throws {
        #expect(try PrinterAddress(url: "file:/dev/usb/lp0").canAnswer)
        #expect(try PrinterAddress(url: "tcp://127.0.0.1").canAnswer)
        #expect(try !PrinterAddress(url: "file:/tmp/receipts").canAnswer)
        #expect(!PrinterAddress.none.canAnswer)
    }

    @Test(
        "What is no address is refused in words",
        arguments: [
            "", "tcp://", "tcp://:9100", "tcp://host:0", "tcp://host:70000", "tcp://host:", "tcp://host:91x", "file:",
            "serial:", "serial:/dev/ttyUSB0?baud=9601", "serial:/dev/ttyUSB0?speed=9600", "bluetooth://DC:0D:30:00:00",
            "file:receipts.bin", "bluetooth://DC:0D:30:00:00:0G", "bluetooth://DC:0D:30:00:00:01?channel=31",
            "http://host", "/dev/usb/lp0",
        ])
    func whatIsNoAddressIsRefusedInWords(url: String) {
        #expect(throws: PrinterAddressError.self) { _ = try PrinterAddress(url: url) }
    }
}
