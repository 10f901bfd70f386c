// Whether a box runs on this machine, for the other programs that look at its devices and files.

/// Whether a box runs on a state folder. A user who may not look is told `unknown`.
package enum BoxPresence: Equatable, Sendable {
    case running
    case notRunning
    /// This user may not see it: nothing may be taken from the box, and nothing said of it.
    case unknown
}
