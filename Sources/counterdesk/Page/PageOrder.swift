// What the page asks for, out of the JSON that it posts.

import BoxFoundation
import PushProtocol

/// What a page asks for.
package enum PageOrder: Equatable, Sendable {
    /// The button goes down or up.
    case button(isPressed: Bool)
    case set(CounterSwitch, isOn: Bool)
    case delay(Interval)
    case clock(CounterClock)
    /// Typed on the console.
    case type(String)
    /// A customer pays. The id of an earlier push asks for the same again; nil makes a new one.
    case push(JSON, id: String?)
}

/// Why an order is none; a line for whoever wrote it.
package struct PageOrderFault: Error, Equatable, Sendable {
    package var message: String
}

extension PageOrder {
    /// Bytes of an order at most: a push of the frame's limit, its quotes escaped.
    package static let mostBytes = 2 * Frame.mostPayload + 1024
    /// Characters typed in one go.
    package static let mostTyped = 4096

    package init(_ bytes: [UInt8]) throws(PageOrderFault) {
        let order = try Self.parse(String(decoding: bytes, as: UTF8.self), "the order")
        switch order["do"]?.string {
        case "press": self = .button(isPressed: true)
        case "release": self = .button(isPressed: false)
        case "switch": self = try Self.change(order)
        case "delay":
            guard let milliseconds = order["milliseconds"]?.integer, milliseconds >= 0,
                milliseconds <= CounterSwitches.mostDelay.milliseconds
            else { throw PageOrderFault(message: "milliseconds is a whole number up to 10000") }
            self = .delay(.milliseconds(Int(milliseconds)))
        case "clock":
            guard let clock = order["clock"]?.string.flatMap(CounterClock.init(rawValue:)) else {
                throw PageOrderFault(message: "clock is one of right, ahead, lost")
            }
            self = .clock(clock)
        case "type":
            guard let text = order["text"]?.string, !text.isEmpty, text.utf8.count <= Self.mostTyped else {
                throw PageOrderFault(message: "text is what is typed, \(Self.mostTyped) bytes at most")
            }
            self = .type(text)
        case "push": self = try Self.push(order)
        default: throw PageOrderFault(message: "no such order")
        }
    }

    private static func change(_ order: JSON) throws(PageOrderFault) -> PageOrder {
        guard let which = order["name"]?.string.flatMap(CounterSwitch.init(rawValue:)), let isOn = order["on"]?.bool
        else { throw PageOrderFault(message: "a switch has a name and is on or not") }
        return .set(which, isOn: isOn)
    }

    /// The body comes as a text, so that a number in it keeps its own.
    private static func push(_ order: JSON) throws(PageOrderFault) -> PageOrder {
        guard let text = order["body"]?.string else {
            throw PageOrderFault(message: "body is the push's JSON as a text")
        }
        let push = OutgoingPush(id: order["id"]?.string ?? "new", body: try parse(text, "the body"))
        guard push.isGood else {
            throw PageOrderFault(message: "the push is over the frame's 65,536 bytes, or its id is none")
        }
        return .push(push.body, id: order["id"]?.string)
    }

    private static func parse(_ text: String, _ what: String) throws(PageOrderFault) -> JSON {
        do throws(JSONFault) {
            return try JSONReader.read(text)
        } catch {
            throw PageOrderFault(message: "\(what) is no JSON: \(error.message)")
        }
    }
}
