/// This firmware.
package enum Firmware {
    package static let version = "0.1.0"

    /// The day it was released, 2026-11-30: the earliest that a box's clock can be right, and what a hub's hint is
    /// measured against. Set with the version.
    package static let released = WallTime(milliseconds: 1_795_996_800_000)
}
