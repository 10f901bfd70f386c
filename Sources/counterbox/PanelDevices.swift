// The board's light and button. A board that names none has none; one that names them and cannot have them says why.

import BoxDoctor
import BoxFoundation
import BoxSettings
import Glibc
import HardwareInterface
import HardwareLinux

struct PanelDevices {
    private(set) var light: any LightDevice = AbsentLight()
    private(set) var button: GPIOButton?
    private(set) var lightFact = PanelFact.none
    private(set) var buttonFact = PanelFact.none
    private(set) var remarks: [LogEntry] = []

    /// The button's level at the start; nil without one.
    var buttonIsPressed: Bool? { button?.isPressed }

    static func open(_ board: Board, on loop: EpollLoop, _ log: any LogSink) -> PanelDevices {
        var panel = PanelDevices()
        guard board.light != nil || board.button != nil else { return panel }
        var chips: [GPIOChip] = []
        var trouble: GPIOError?
        do throws(GPIOError) { chips = try GPIOChips.all() } catch { trouble = error }
        if let light = board.light { panel.openLight(light, chips, trouble) }
        if let button = board.button { panel.openButton(button, chips, trouble, loop, log) }
        return panel
    }

    private mutating func openLight(_ light: BoardLight, _ chips: [GPIOChip], _ trouble: GPIOError?) {
        do throws(PanelTrouble) {
            self.light = try Self.device(light, chips, trouble)
            lightFact = .ready
        } catch {
            lightFact = error.fact
            remark("there is no light: \(error.message)")
        }
    }

    private static func device(
        _ light: BoardLight, _ chips: [GPIOChip], _ trouble: GPIOError?
    ) throws(PanelTrouble) -> any LightDevice {
        switch light {
        case .line(let line):
            if let trouble { throw PanelTrouble(trouble, line.line) }
            do throws(GPIOError) {
                return try GPIOLight(GPIOLineName(line), in: chips, isActiveLow: line.isActiveLow)
            } catch {
                throw PanelTrouble(error, line.line)
            }
        case .pwm(let chip, let channel):
            do throws(SysfsLightError) { return try PWMLight(chip: chip, channel: channel) } catch {
                throw PanelTrouble(error, "\(chip) channel \(channel)")
            }
        case .led(let name):
            do throws(SysfsLightError) { return try LEDLight(name) } catch { throw PanelTrouble(error, name) }
        case .colours(let light):
            return ColourLight(
                red: try device(light.red, chips, trouble), green: try device(light.green, chips, trouble),
                blue: try device(light.blue, chips, trouble), colours: light.colours)
        }
    }

    private mutating func openButton(
        _ button: BoardLine, _ chips: [GPIOChip], _ trouble: GPIOError?, _ loop: EpollLoop, _ log: any LogSink
    ) {
        do throws(GPIOError) {
            if let trouble { throw trouble }
            self.button = try GPIOButton(
                GPIOLineName(button), in: chips, isActiveLow: button.isActiveLow, pull: GPIOPull(button.pull), on: loop,
                log: log)
            buttonFact = .ready
        } catch {
            buttonFact = PanelTrouble(error, button.line).fact
            remark("there is no button: \(error.message)")
        }
    }

    private mutating func remark(_ text: String) { remarks.append(LogEntry(.warning, "panel", text)) }
}

/// Why a light or a button cannot be had.
struct PanelTrouble: Error {
    var fact: PanelFact
    var message: String

    init(_ error: GPIOError, _ line: String) {
        message = error.message
        fact =
            switch error {
            case .noChips: .noChip(line: line)
            case .notFound: .missing(line: line)
            case .taken(_, let owner): .taken(line: line, owner: owner.isEmpty ? "another program" : owner)
            case .notPermitted: .notPermitted(line: line)
            case .ambiguous, .failed: .failed(line: line, error.message)
            }
    }

    init(_ error: SysfsLightError, _ name: String) {
        message = error.message
        fact =
            switch error {
            case .notFound: .missing(line: name)
            case .failed(let error) where error.errno == EACCES || error.errno == EPERM: .notPermitted(line: name)
            case .failed(let error): .failed(line: name, error.message)
            }
    }
}

extension GPIOLineName {
    fileprivate init(_ line: BoardLine) { self.init(chips: line.chips, line: line.line, offset: line.offset) }
}

extension GPIOPull {
    fileprivate init(_ pull: BoardLine.Pull) {
        switch pull {
        case .none: self = .none
        case .up: self = .up
        case .down: self = .down
        }
    }
}
