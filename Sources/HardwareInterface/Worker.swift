// The two calls that may take long (the journal's commit, name resolution) run on a thread of their own and answer
// through the loop. In simulation the same work runs inline.

import BoxFoundation

/// Work of one kind, done in the order submitted.
package protocol Worker<Request, Answer>: AnyObject {
    associatedtype Request: Sendable
    associatedtype Answer: Sendable

    /// Never blocks. Every request gets one answer, in order; a `DeviceEvent.worker` says that some are there.
    func submit(_ request: Request)

    /// Takes all answers that are there, oldest first.
    func takeAnswers() -> [Answer]
}
