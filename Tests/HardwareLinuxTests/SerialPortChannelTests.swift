import HardwareInterface
import HardwareLinux
import Testing

@Suite("The channel of a printer's serial port")
struct SerialPortChannelTests {
    @Test("It is asked for once and then kept")
    func kept() {
        var channel = SerialPortChannel(fixed: nil, usual: 1)
        #expect(channel.begin() == .ask)
        #expect(channel.answered(3) == .dial(3))
        for _ in 0..<2 { #expect(channel.begin() == .dial(3)) }
    }

    @Test("It is asked for again when the printer refuses the one that was kept, once an attempt")
    func askedAgain() {
        var channel = SerialPortChannel(fixed: nil, usual: 1)
        _ = (channel.begin(), channel.answered(2))
        #expect(channel.begin() == .dial(2))
        #expect(channel.dialFailed(.refused) == .ask)
        #expect(channel.answered(5) == .dial(5))
        #expect(channel.dialFailed(.refused) == .fail(.refused))
        #expect(channel.begin() == .ask)
    }

    @Test("A printer that is away keeps its channel")
    func away() {
        var channel = SerialPortChannel(fixed: nil, usual: 1)
        _ = (channel.begin(), channel.answered(4), channel.begin())
        #expect(channel.dialFailed(.unreachable) == .fail(.unreachable))
        #expect(channel.begin() == .dial(4))
    }

    @Test("A printer that names none, or cannot be asked, is tried where its kind has it")
    func usual() {
        var channel = SerialPortChannel(fixed: nil, usual: 6)
        #expect(channel.begin() == .ask)
        #expect(channel.answered(nil) == .dial(6))
        #expect(channel.begin() == .ask)
        for error in [PrinterLinkError.refused, .lost, .failed("nonsense")] {
            #expect(channel.askingFailed(error) == .dial(6))
        }
        #expect(channel.askingFailed(.unreachable) == .fail(.unreachable))
    }

    @Test("A fixed one is never asked for")
    func fixed() {
        var channel = SerialPortChannel(fixed: 9, usual: 1)
        #expect(channel.begin() == .dial(9))
        #expect(channel.dialFailed(.refused) == .fail(.refused))
        #expect(channel.begin() == .dial(9))
    }
}
