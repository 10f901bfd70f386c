// The board's light and button. A board that names none has none; one that names them and cannot have them says why.

import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux

struct PanelDevices {
    private(set) var light: any LightDevice = AbsentLight()
    private(set) var button: GPIOButton?
    private(set) var remarks: [LogEntry] = []

    /// The button's level at the start; nil without one.
    var buttonIsPressed: Bool? { button?.isPressed }

    static func open(_ board: Board, on loop: EpollLoop, _ log: any LogSink) -> PanelDevices {
        var panel = PanelDevices()
        guard board.light != nil || board.button != nil else { return panel }
        let chips: [GPIOChip]
        do throws(GPIOError) {
            chips = try GPIOChips.all()
        } catch {
            panel.remark("there is no light and no button: \(error.message)")
            return panel
        }
        if let light = board.light { panel.openLight(light, chips) }
        if let button = board.button { panel.openButton(button, chips, loop, log) }
        return panel
    }

    private mutating func openLight(_ light: BoardLight, _ chips: [GPIOChip]) {
        do {
            switch light {
            case .line(let line):
                self.light = try GPIOLight(GPIOLineName(line), in: chips, isActiveLow: line.isActiveLow)
            case .pwm(let chip, let channel): self.light = try PWMLight(chip: chip, channel: channel)
            case .led(let name): self.light = try LEDLight(name)
            }
        } catch let error as GPIOError {
            remark("there is no light: \(error.message)")
        } catch let error as SysfsLightError {
            remark("there is no light: \(error.message)")
        } catch {
            remark("there is no light: \(error)")
        }
    }

    private mutating func openButton(_ button: BoardLine, _ chips: [GPIOChip], _ loop: EpollLoop, _ log: any LogSink) {
        do throws(GPIOError) {
            self.button = try GPIOButton(
                GPIOLineName(button), in: chips, isActiveLow: button.isActiveLow, pull: GPIOPull(button.pull), on: loop,
                log: log)
        } catch {
            remark("there is no button: \(error.message)")
        }
    }

    private mutating func remark(_ text: String) { remarks.append(LogEntry(.warning, "panel", text)) }
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
