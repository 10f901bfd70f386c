import BoxFoundation
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import Testing

// The real one is ALSA's `null` device: it plays at once, as no sound card is needed for the contract.
@Suite("A speaker, simulated and through ALSA")
struct SpeakerContractTests {
    private func makeSpeaker(_ world: World) throws -> (loop: any EventLoop, speaker: any SpeakerDevice) {
        switch world {
        case .simulated:
            let loop = SimulatedLoop()
            return (loop, SimulatedSpeaker(loop: loop))
        case .real:
            let loop = try EpollLoop()
            return (loop, ALSASpeaker("null", on: loop, log: MemoryLog()))
        }
    }

    @Test("It agrees to a rate, and to a buffer of several periods", arguments: World.allCases)
    func format(world: World) throws {
        let (_, speaker) = try makeSpeaker(world)
        let format = try speaker.open(rate: 16_000)
        #expect(format.rate == 16_000)
        #expect(format.period >= 160 && format.period <= 1600)
        #expect(format.buffer >= 3 * format.period)
    }

    @Test(
        "Two seconds of sound are taken in whole, room is told once for each asking, and all is heard",
        arguments: World.allCases)
    func play(world: World) throws {
        let (loop, speaker) = try makeSpeaker(world)
        let format = try speaker.open(rate: 16_000)
        var rest = [Int16](repeating: 100, count: 100 * format.period)[...]
        while !rest.isEmpty {
            let taken = try speaker.write(rest)
            #expect(taken <= format.buffer || world == .real)
            rest = rest.dropFirst(taken)
            guard taken == 0 else { continue }
            speaker.awaitRoom()
            let turns = loop.run { !$0.isEmpty }
            try #require(turns.events.map(\.speaker) == [.room])
        }
        let left = try speaker.unplayed()
        #expect(left >= 0 && left <= format.buffer)
        loop.run(for: .forCount(left, perSecond: format.rate))
        #expect(loop.next() == nil)
    }

    @Test("Dropped, it takes a whole buffer again", arguments: World.allCases)
    func drop(world: World) throws {
        let (_, speaker) = try makeSpeaker(world)
        let format = try speaker.open(rate: 16_000)
        let samples = [Int16](repeating: 1, count: format.buffer)[...]
        #expect(try speaker.write(samples) > 0)
        speaker.drop()
        #expect(try speaker.write(samples.prefix(format.period)) == format.period)
    }

    @Test("Closed, it takes nothing and is gone until it is opened again", arguments: World.allCases)
    func close(world: World) throws {
        let (_, speaker) = try makeSpeaker(world)
        #expect(throws: SpeakerError.gone) { try speaker.write([1]) }
        let format = try speaker.open(rate: 16_000)
        speaker.close()
        speaker.close()
        #expect(throws: SpeakerError.gone) { try speaker.write([1]) }
        #expect(throws: SpeakerError.gone) { try speaker.recover() }
        #expect(try speaker.open(rate: 16_000) == format)
    }
}

extension DeviceEvent {
    fileprivate var speaker: SpeakerEvent? { if case .speaker(let event) = self { event } else { nil } }
}
