// Host names to addresses. A number is read here and now; a name may take the resolver seconds, so a thread asks it.

import CLinux
import Glibc
import HardwareInterface

/// Looks one host up at a time.
final class NameLookup {
    private struct Question: Sendable {
        var number: Int
        var host: String
        var port: UInt16
    }

    private struct Answer: Sendable {
        var number: Int
        /// Empty where the name is not known.
        var addresses: [DialAddress]
    }

    private let loop: any DescriptorLoop
    private var worker: WorkerThread<Question, Answer>?
    /// The question whose answer is wanted; older ones are not any more.
    private var asked = 0
    private var isOpen = false
    private var onAnswer: ([DialAddress]) -> Void = { _ in }

    init(on loop: any DescriptorLoop) { self.loop = loop }

    deinit { worker?.abandon() }

    /// - Returns: the address that a number means; nil for a name.
    static func number(_ host: String, port: UInt16) -> DialAddress? {
        resolve(host, port: port, flags: AI_NUMERICHOST).first
    }

    /// - Parameter onAnswer: called once, from a later turn of the loop, with the addresses in the order to try; none
    ///   where the name is not known. Not called after `cancel`.
    func ask(
        _ host: String, port: UInt16, onAnswer: @escaping ([DialAddress]) -> Void
    ) throws(PrinterLinkError) {
        asked += 1
        isOpen = true
        self.onAnswer = onAnswer
        do {
            try start().submit(Question(number: asked, host: host, port: port))
        } catch {
            throw .failed(error.message)
        }
    }

    /// The answer is not wanted any more. A resolver that hangs is left behind with its thread.
    func cancel() {
        guard isOpen else { return }
        isOpen = false
        worker?.abandon()
        worker = nil
    }

    private func start() throws(SystemError) -> WorkerThread<Question, Answer> {
        if let worker { return worker }
        let new = try WorkerThread<Question, Answer>(
            "printer name", on: loop, onAnswers: { [unowned self] in self.take() },
            making: { { Answer(number: $0.number, addresses: Self.resolve($0.host, port: $0.port, flags: 0)) } })
        worker = new
        return new
    }

    private func take() {
        for answer in worker?.takeAnswers() ?? [] where isOpen && answer.number == asked {
            isOpen = false
            onAnswer(answer.addresses)
        }
    }

    /// IPv4 first: few printers have IPv6, and many names have both.
    private static func resolve(_ host: String, port: UInt16, flags: Int32) -> [DialAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [DialAddress] = []
        var entry = list
        while let info = entry?.pointee {
            if let address = info.ai_addr {
                let bytes = UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
                addresses.append(DialAddress(family: info.ai_family, bytes: Array(bytes)))
            }
            entry = info.ai_next
        }
        return addresses.filter { $0.family == AF_INET } + addresses.filter { $0.family != AF_INET }
    }
}
