// The plug. It may be pulled between any two calls that the box makes: from then on no call has an effect.

final class PowerSupply {
    private(set) var isOn = false
    /// Calls of any device until the power goes by itself; nil: it stays.
    var callsUntilCut: Int?
    /// Calls so far, over all runs.
    private(set) var calls = 0

    func turnOn() { isOn = true }

    func cut() {
        isOn = false
        callsUntilCut = nil
    }

    /// Every call of a device asks first.
    func allowsCall() -> Bool {
        guard isOn else { return false }
        calls += 1
        guard let left = callsUntilCut else { return true }
        callsUntilCut = left - 1
        if left <= 0 { cut() }
        return isOn
    }
}
