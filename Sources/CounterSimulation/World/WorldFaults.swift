// Faults begin, last and end.

import BoxFoundation
import HardwareSimulated
import PushProtocol
import SimulatedDisk

extension SimulatedWorld {
    /// A fault of these groups was there at some time since then.
    func hadFault(of groups: Set<FaultGroup>, from moment: Moment) -> Bool {
        plan.faults.contains { groups.contains($0.kind.group) && acts($0, from: moment) }
    }

    func hadFault(of kind: FaultKind, from moment: Moment) -> Bool {
        plan.faults.contains { $0.kind == kind && acts($0, from: moment) }
    }

    /// What a fault broke may show a while later; one that waits for a call of its device may come at any time.
    private func acts(_ fault: Fault, from moment: Moment) -> Bool {
        guard start + fault.at <= loop.now else { return false }
        return fault.kind.waitsForCall || start + fault.ends + .minutes(2) >= moment
    }

    func lostPower(since moment: Moment) -> Bool { powerLosses.last.map { $0 >= moment } ?? false }

    var hadDiskTrouble: Bool { plan.faults.contains { $0.kind.group == .disk && start + $0.at <= loop.now } }

    /// The printer stood still or was away at some time since then.
    func hadStop(from moment: Moment) -> Bool {
        plan.faults.contains { $0.kind.stopsPrinter && acts($0, from: moment) }
    }

    // MARK: - They begin and end

    func begin(_ fault: Fault) {
        tell("fault", "\(fault)")
        changedAt = loop.now
        faultCounts[fault.kind, default: 0] += 1
        if fault.lasts > .zero { active.append(fault) }
        start(fault)
        apply()
    }

    func end(_ fault: Fault) {
        tell("fault", "\(fault.number) is over")
        changedAt = loop.now
        active.removeAll { $0.number == fault.number }
        apply()
        switch fault.kind {
        case .powerCut, .powerCutInDisk, .terminate, .bitRot:
            guard !active.contains(where: { $0.kind.isPowerOff }) else { return }
            // The moment it was armed for may never have come.
            (power.callsUntilCut, disk.callsUntilPowerCut) = (nil, nil)
            if run == nil { turnOn() }
        case .hubRestart: hubs.first?.comeUp()
        case .buttonStuck:
            // What another one holds down stays down.
            if !active.contains(where: { $0.kind == .buttonStuck }) { button.release() }
        case .consoleUnplugged: run?.console.plug()
        case .clock1970:
            clock.isSynchronised = true
            clock.epoch = trueTime + (Moment.zero - loop.now)
        case .outOfRange: printer.comeBack()
        case .printerAsleep: printer.wakeUp()
        default: break
        }
    }

    /// What happens once.
    func start(_ fault: Fault) {
        switch fault.kind {
        case .reset: for hub in hubs { hub.resetLine() }
        case .halfOpen: hubs.first?.line?.goSilent()
        case .natForgets: watchIdle(fault)
        case .noRoute: for hub in hubs { hub.line?.goSilent() }
        case .hubRestart: hubs.first?.goDown()
        case .amnesia, .otherBodies:
            hubs.first?.forget(fault.size, otherBodies: fault.kind == .otherBodies)
        case .badFrame: hubs.first?.breakFrame(fault.size)
        case .secondConnection: hubs.first?.openSecond()
        case .stranger: stranger(fault.size)
        case .strangers: for i in 0..<10 { stranger(fault.size + i) }
        case .powerCut: if run != nil { power.callsUntilCut = fault.size }
        case .powerCutInDisk: if run != nil { disk.callsUntilPowerCut = fault.size }
        case .terminate: terminate(fault)
        case .bitRot: rot(fault)
        case .clock1970:
            clock.isSynchronised = false
            clock.epoch = WallTime(milliseconds: 0)
        case .clockJump: clock.epoch = clock.epoch + .seconds(fault.size)
        case .underrun: run?.speaker.faults.writes += Array(repeating: .underrun, count: fault.size)
        case .printerAsleep: printer.fallAsleep()
        case .outOfRange: printer.goAway()
        case .linkLost: printer.link.bytesToLoss = fault.size
        case .printerPowerCycle: printer.powerCycle()
        case .printerNoise: printer.say(noise(fault))
        case .shortWrites: printer.link.writeLimits += (0..<fault.size).map { ($0 * 7 + fault.number) % 4 }
        case .buttonStuck: button.press()
        case .buttonStorm: storm(fault)
        case .consoleNoise: run?.console.type(noise(fault))
        case .consoleUnplugged: run?.console.unplug()
        default: break
        }
    }

    /// What lasts, put on all devices anew.
    func apply() {
        conditions = Conditions(active)
        func has(_ kind: FaultKind) -> Bool { active.contains { $0.kind == kind } }
        func size(_ kind: FaultKind) -> Int? { active.last { $0.kind == kind }?.size }
        button.bounce = has(.buttonBounce) ? .milliseconds(12) : .zero
        applyToDisk(has)
        applyToPrinter(has, size)
        guard let run else { return }
        run.network.latency = conditions.latency
        for line in hubs.compactMap(\.line) { line.setReading(!conditions.isDeaf) }
        run.console.isStalled = has(.consoleStall)
        run.journal.delay = size(.diskSlow).map { .milliseconds($0) } ?? shop.commitTime
        run.speech.faults.isMissing = size(.speechBroken) == 0
        run.speech.faults.isStuck = size(.speechBroken) == 1
        run.speech.faults.breaksAfter = size(.speechBroken) == 2 ? 2 : nil
        var faults = run.speaker.faults
        faults.isGone = has(.speakerGone)
        faults.isBusy = has(.speakerBusy)
        faults.isStalled = has(.speakerStalled)
        faults.isSuspended = has(.speakerSuspended)
        if faults != run.speaker.faults { run.speaker.faults = faults }
    }

    private func applyToDisk(_ has: (FaultKind) -> Bool) {
        disk.fault =
            has(.diskReadOnly)
            ? .readOnly
            : has(.diskFull) ? .full : has(.diskWritesFail) ? .writesFail : has(.diskSyncsFail) ? .syncsFail : nil
        state.isFull = disk.fault != nil
    }

    private func applyToPrinter(_ has: (FaultKind) -> Bool, _ size: (FaultKind) -> Int?) {
        printer.link.bytesPerSecond = size(.slowLink)
        printer.link.refusal = has(.connectRefused) ? .refused : nil
        printer.change { [shop] machine in
            machine.hasPaper = !has(.paperOut)
            machine.isCoverOpen = has(.coverOpen)
            machine.hasError = has(.printerError)
            machine.lies = has(.lyingStatus)
            machine.make.answersStatus = shop.printer.answersStatus && !has(.silentPrinter)
            machine.make.bytesPerSecond = size(.slowPrinter) ?? shop.printer.bytesPerSecond
        }
    }
}

extension FaultKind {
    /// The box has no power, or is stopped, while it lasts.
    var isPowerOff: Bool {
        switch self {
        case .powerCut, .powerCutInDisk, .terminate, .bitRot: true
        default: false
        }
    }

    /// It is armed, and the device's next calls meet it.
    var waitsForCall: Bool {
        switch self {
        case .linkLost, .shortWrites, .underrun: true
        default: false
        }
    }

    var stopsPrinter: Bool {
        switch self {
        case .paperOut, .coverOpen, .printerError, .outOfRange, .printerAsleep, .slowLink, .slowPrinter,
            .printerPowerCycle, .connectRefused:
            true
        default: false
        }
    }
}
