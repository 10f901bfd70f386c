import BoxFoundation
import Testing

@Suite("First come, first served")
struct FirstComeQueueTests {
    /// Does numbers: each above ten asks for two more.
    private struct Server {
        var queue = FirstComeQueue<Int>()
        var done: [Int] = []

        mutating func take(_ more: [Int]) {
            guard queue.add(more) else { return }
            while let number = queue.next() {
                done.append(number)
                if number > 10 { take([number / 10, number % 10]) }
            }
        }
    }

    @Test("What comes of doing one goes to the end, and a later call begins anew")
    func order() {
        var server = Server()
        server.take([12, 3, 45])
        #expect(server.done == [12, 3, 45, 1, 2, 4, 5])
        server.take([])
        server.take([6])
        #expect(server.done.last == 6)
        #expect(server.done.count == 8)
    }
}
