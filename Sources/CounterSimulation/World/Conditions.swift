// What is wrong right now: the faults that last, taken together.

import BoxFoundation

struct Conditions {
    var latency = Interval.zero
    var splits = false
    var merges = false
    var hasNoRoute = false
    var isDeaf = false
    var natForgets = false
    var keepsNothing = false

    init(_ active: [Fault]) {
        for fault in active {
            switch fault.kind {
            case .delay: latency = max(latency, .milliseconds(fault.size))
            case .split: splits = true
            case .merge: merges = true
            case .noRoute: hasNoRoute = true
            case .deafHub: isDeaf = true
            case .natForgets: natForgets = true
            case .keepsNothing: keepsNothing = true
            default: break
            }
        }
    }
}
