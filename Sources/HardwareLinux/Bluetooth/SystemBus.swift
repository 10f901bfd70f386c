// A D-Bus connection on our loop, by systemd's sd-bus: its descriptor, events and timeout are the loop's, and no call here
// waits for an answer.

import BoxFoundation
import CSystemBus
import Glibc
import HardwareInterface

/// Why a call over the bus came to nothing.
package struct BusFault: Error, Equatable, Sendable {
    /// `org.bluez.Error.AuthenticationFailed`.
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String = "") {
        self.name = name
        self.text = text
    }

    /// The connection to the bus is gone or never came to be.
    package static let disconnected = BusFault("org.freedesktop.DBus.Error.Disconnected", "the bus is gone")
}

/// A message that came: a signal, a call from somebody, or the answer to a call of ours.
package final class BusMessage {
    package let isCall: Bool
    /// Empty where the message has none, as an answer.
    package let path: String
    package let interface: String
    package let member: String
    package let sender: String
    package let arguments: [BusValue]
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = sd_bus_message_ref(pointer)
        isCall = sd_bus_message_is_method_call(pointer, nil, nil) > 0
        path = Self.text(sd_bus_message_get_path(pointer))
        interface = Self.text(sd_bus_message_get_interface(pointer))
        member = Self.text(sd_bus_message_get_member(pointer))
        sender = Self.text(sd_bus_message_get_sender(pointer))
        arguments = BusValue.all(in: pointer)
    }

    deinit { sd_bus_message_unref(pointer) }

    /// The fault that an answer may be.
    var fault: BusFault? {
        guard sd_bus_message_is_method_error(pointer, nil) > 0 else { return nil }
        guard let error = sd_bus_message_get_error(pointer)?.pointee else { return BusFault("unknown") }
        return BusFault(Self.text(error.name), Self.text(error.message))
    }

    /// Answers a call.
    func makeAnswer(_ answer: Result<[BusValue], BusFault>) -> OpaquePointer? {
        var message: OpaquePointer?
        switch answer {
        case .success(let values):
            guard sd_bus_message_new_method_return(pointer, &message) >= 0, let message else { return nil }
            guard values.allSatisfy({ $0.append(to: message) }) else {
                sd_bus_message_unref(message)
                return nil
            }
        case .failure(let fault):
            fault.name.withCString { name in
                fault.text.withCString { text in
                    var error = sd_bus_error(name: name, message: text, _need_free: 0)
                    _ = sd_bus_message_new_method_error(pointer, &message, &error)
                }
            }
        }
        return message
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }
}

/// A connection to D-Bus on the loop; no call waits for its answer, each ends after 25 s at the latest.
package final class SystemBus {
    /// What `open` connects to where nothing else is said, as every program of the system does.
    package static var usualAddress: String {
        getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// Messages handled in one turn; the others wait for the next.
    private static let mostInTurn = 32
    /// How long an answer may take.
    package static let callLimit = Interval.seconds(25)

    private final class Call {
        unowned let bus: SystemBus
        let number: UInt64
        let onAnswer: (Result<BusMessage, BusFault>) -> Void

        init(_ bus: SystemBus, _ number: UInt64, _ onAnswer: @escaping (Result<BusMessage, BusFault>) -> Void) {
            self.bus = bus
            self.number = number
            self.onAnswer = onAnswer
        }
    }

    /// Signals, and calls from others; false where it is not for this program.
    package var onMessage: ((BusMessage) -> Bool)?
    /// The connection has gone; every call under way has been answered with `disconnected` by then.
    package var onLost: (() -> Void)?

    private let loop: any DescriptorLoop
    private var bus: OpaquePointer?
    /// Of the connection, and our own: sd-bus closes its one while it is still watched.
    private var watched: Int32 = -1
    private var calls: [UInt64: Call] = [:]
    private var lastCall: UInt64 = 0
    private var wakesAt: Moment?

    /// Begins to connect. What is sent before the connection stands goes out then.
    package init(to address: String = SystemBus.usualAddress, on loop: any DescriptorLoop) throws(SystemError) {
        self.loop = loop
        if let why = system_bus_load() {
            throw SystemError("load sd-bus: \(String(cString: why))", errno: ELIBACC)
        }
        var made: OpaquePointer?
        try Self.check("make a bus connection", sd_bus_new(&made))
        guard let bus = made else { throw SystemError("make a bus connection", errno: ENOMEM) }
        do throws(SystemError) {
            try Self.check("bus address \(address)", sd_bus_set_address(bus, address))
            try Self.check("bus client", sd_bus_set_bus_client(bus, 1))
            try Self.check("connect to \(address)", sd_bus_start(bus))
            watched = try Self.copy(of: sd_bus_get_fd(bus))
        } catch {
            sd_bus_unref(bus)
            throw error
        }
        self.bus = bus
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = sd_bus_add_filter(bus, nil, { message, me, _ in SystemBus.filter(message, me) }, me)
        loop.watch(watched, for: interest) { [weak self] _ in self?.process() }
        schedule()
    }

    deinit { close() }

    /// No answer, signal or `onLost` comes any more.
    package func close() {
        guard let bus else { return }
        loop.unwatch(watched)
        Descriptor(adopting: watched).close()
        self.bus = nil
        calls = [:]
        sd_bus_close_unref(bus)
    }

    // MARK: - Sending

    /// - Parameter onAnswer: called once from a later turn, unless the bus is closed before.
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
        within limit: Interval = callLimit, onAnswer: @escaping (Result<BusMessage, BusFault>) -> Void
    ) {
        lastCall += 1
        let call = Call(self, lastCall, onAnswer)
        calls[call.number] = call
        guard let bus, let message = Self.make(bus, destination, path, interface, member, arguments) else {
            return refuse(call)
        }
        defer { sd_bus_message_unref(message) }
        let me = Unmanaged.passUnretained(call).toOpaque()
        let limit = UInt64(max(1, limit.nanoseconds / 1000))
        let result = sd_bus_call_async(
            bus, nil, message, { message, me, _ in SystemBus.answered(message, me) }, me, limit)
        guard result >= 0 else { return refuse(call) }
        refresh()
    }

    /// Answers a call from somebody, at once or later.
    package func answer(_ call: BusMessage, _ answer: Result<[BusValue], BusFault>) {
        guard let bus, let message = call.makeAnswer(answer) else { return }
        _ = sd_bus_send(bus, message, nil)
        sd_bus_message_unref(message)
        refresh()
    }

    package func signal(_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]) {
        var message: OpaquePointer?
        guard let bus, sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0, let message else {
            return
        }
        if arguments.allSatisfy({ $0.append(to: message) }) { _ = sd_bus_send(bus, message, nil) }
        sd_bus_message_unref(message)
        refresh()
    }

    /// Asks for the signals that fit a D-Bus match rule.
    package func listen(_ rule: String) {
        call(Self.driver, Self.driverPath, Self.driver, "AddMatch", [.string(rule)]) { _ in }
    }

    package static let driver = "org.freedesktop.DBus"
    package static let driverPath = "/org/freedesktop/DBus"

    private static func make(
        _ bus: OpaquePointer, _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ arguments: [BusValue]
    ) -> OpaquePointer? {
        var message: OpaquePointer?
        guard sd_bus_message_new_method_call(bus, &message, destination, path, interface, member) >= 0, let message
        else { return nil }
        if arguments.allSatisfy({ $0.append(to: message) }) { return message }
        sd_bus_message_unref(message)
        return nil
    }

    /// A call that cannot even leave is answered like any other: later.
    private func refuse(_ call: Call) {
        loop.schedule(at: loop.now) { [weak self] in
            guard let self, calls.removeValue(forKey: call.number) != nil else { return }
            call.onAnswer(.failure(.disconnected))
        }
    }

    // MARK: - Receiving

    private static func filter(_ message: OpaquePointer?, _ me: UnsafeMutableRawPointer?) -> Int32 {
        guard let message, let me else { return 0 }
        let bus = Unmanaged<SystemBus>.fromOpaque(me).takeUnretainedValue()
        guard bus.bus != nil, let onMessage = bus.onMessage else { return 0 }
        return onMessage(BusMessage(message)) ? 1 : 0
    }

    private static func answered(_ message: OpaquePointer?, _ me: UnsafeMutableRawPointer?) -> Int32 {
        guard let message, let me else { return 0 }
        let call = Unmanaged<Call>.fromOpaque(me).takeUnretainedValue()
        guard call.bus.calls.removeValue(forKey: call.number) != nil else { return 1 }
        // sd-bus answers for a bus that is gone as for one that took too long.
        guard let bus = call.bus.bus, sd_bus_is_open(bus) > 0 else {
            call.onAnswer(.failure(.disconnected))
            return 1
        }
        let answer = BusMessage(message)
        call.onAnswer(answer.fault.map { .failure($0) } ?? .success(answer))
        return 1
    }

    /// Handles what has come. A handler may close the bus, or let go of it.
    private func process() {
        withExtendedLifetime(self) {
            var left = Self.mostInTurn
            while let bus, left > 0 {
                let result = sd_bus_process(bus, nil)
                guard result >= 0 else { return lose() }
                if result == 0 { break }
                left -= 1
            }
            refresh()
        }
    }

    private func lose() {
        guard bus != nil else { return }
        let left = calls.values.sorted { $0.number < $1.number }
        close()
        for call in left { call.onAnswer(.failure(.disconnected)) }
        onLost?()
    }

    // MARK: - On the loop

    private var interest: DescriptorInterest {
        let events = bus.map { sd_bus_get_events($0) } ?? 0
        var interest: DescriptorInterest = []
        if events > 0, events & Int32(POLLIN) != 0 { interest.insert(.readable) }
        if events > 0, events & Int32(POLLOUT) != 0 { interest.insert(.writable) }
        return interest
    }

    private func refresh() {
        guard bus != nil else { return }
        loop.change(watched, to: interest)
        schedule()
    }

    /// Wakes for sd-bus's own timeout: an answer that is overdue, or a message that waits to be handled.
    private func schedule() {
        var microseconds = UInt64.max
        guard let bus, sd_bus_get_timeout(bus, &microseconds) >= 0, microseconds != .max else { return }
        let due =
            microseconds == 0
            ? loop.now
            : MonotonicClock.moment(monotonic: microseconds.multipliedReportingOverflow(by: 1000).partialValue)
        if let wakesAt, wakesAt <= due { return }
        wakesAt = due
        loop.schedule(at: due) { [weak self] in
            guard let self, wakesAt == due else { return }
            wakesAt = nil
            process()
        }
    }

    private static func copy(of number: Int32) throws(SystemError) -> Int32 {
        let (copy, error) = retrying { fcntl(number, F_DUPFD_CLOEXEC, 0) }
        guard copy >= 0 else { throw SystemError("bus descriptor", errno: error) }
        return copy
    }

    private static func check(_ operation: String, _ result: Int32) throws(SystemError) {
        guard result < 0 else { return }
        throw SystemError(operation, errno: -result)
    }
}
