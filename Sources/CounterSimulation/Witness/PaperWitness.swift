// What is printed: each receipt once unmarked, whole unless the printer lost it, in order; again only marked.

import BoxFoundation
import PushProtocol

extension Witness {
    /// How long what is drained may still be in the printer, where nothing stops it.
    private static let drain = Interval.seconds(90)

    /// Looks at what came out.
    func look(isLast: Bool = false) {
        let paper = world.printer.takePaperByConnection()
        guard isLast || !paper.isEmpty else { return }
        for receipt in reader.read(paper, isLast: isLast) { seen(receipt) }
    }

    private func seen(_ receipt: SeenReceipt) {
        guard let account = account(of: receipt) else { return }
        world.tell(
            "paper",
            "\(receipt.isWhole ? "a receipt" : "part of a receipt") of \(account.name)"
                + (receipt.isMarked ? ", marked" : ""))
        if receipt.isMarked {
            seenAgain(account, isWhole: receipt.isWhole)
        } else {
            account.unmarkedReceipts += 1
            let most = account.intent.copies + account.forgottenReceipts
            if account.unmarkedReceipts > most, !account.mayComeAnew(inRun: world.runs) {
                fail("\(account.name) is printed \(account.unmarkedReceipts) times unmarked")
            }
            // A copy of a forgotten life has the place that it had then.
            if let order = account.order, account.unmarkedReceipts == 1, !account.isRotten,
                account.forgottenReceipts == 0
            {
                if order < lastPrintedOrder { fail("\(account.name) is printed out of order") }
                lastPrintedOrder = max(lastPrintedOrder, order)
            }
        }
        if receipt.isWhole { account.wholeReceipts += 1 }
    }

    private func seenAgain(_ account: PushAccount, isWhole: Bool) {
        account.markedReceipts += 1
        if account.isRotten || account.mayBeMarked { return }
        let isLate = account.paperEndedAt.map { now - $0 > Self.drain } ?? false
        let isStopped = world.hadFault(of: [.printer], from: account.sentAt) || world.lostPower(since: account.sentAt)
        if isStopped, !isLate { return }
        if isLate, world.hadStop(from: account.paperEndedAt ?? now) { return }
        guard reprintOrders > 0 else {
            return fail("\(account.name) is printed again, marked, for no reason")
        }
        // A part is followed by the whole.
        if isWhole { reprintOrders -= 1 }
    }

    /// By the order that it names, else by its amount.
    private func account(of receipt: SeenReceipt) -> PushAccount? {
        if let number = Self.number(in: receipt.text) { return byID["p\(number)"] }
        var lines = receipt.text.split(separator: "\n")
        if !receipt.isWhole, !lines.isEmpty { lines.removeLast() }
        for line in lines {
            if let fen = Self.fen(line), let account = byFen[fen], account.intent.order == nil { return account }
        }
        return nil
    }

    /// `Np12E`: pushes are numbered as they are made.
    private static func number(in text: String) -> Int? {
        let bytes = Array(text.utf8)
        var i = 0
        while i + 3 < bytes.count {
            if bytes[i] == UInt8(ascii: "N"), bytes[i + 1] == UInt8(ascii: "p") {
                var number = 0
                var j = i + 2
                while j < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[j]) {
                    number = number * 10 + Int(bytes[j] - UInt8(ascii: "0"))
                    j += 1
                }
                if j < bytes.count, bytes[j] == UInt8(ascii: "E"), j > i + 2 { return number }
            }
            i += 1
        }
        return nil
    }

    /// `￥12.50`.
    private static func fen(_ line: Substring) -> Int64? {
        guard let first = line.first, first == "￥" || first == "¥" else { return nil }
        return Money(String(line.dropFirst()))?.minor
    }

    // MARK: - What the hub is told of it

    func judgePaper(_ account: PushAccount, _ result: PushResult) {
        let copies = account.intent.copies
        guard let paper = result.paper else { return fail("\(account.name) ended without a word about its paper") }
        switch paper {
        case .printed:
            look()
            let isCertain =
                world.shop.link.confirmation == .processID || !world.hadFault(of: [.printer], from: account.sentAt)
            if isCertain, account.wholeReceipts < copies {
                fail("\(account.name) is told as printed and is not on paper")
            }
        case .sent: break
        case .none:
            if copies > 0, world.shop.link.carrier != .none { fail("\(account.name) is told as without paper") }
        case .failed:
            if !world.hadFault(of: [.disk], from: account.sentAt) { fail("the paper of \(account.name) failed") }
        }
        if copies == 0, paper != .none { fail("\(account.name) asked for no paper") }
    }

    func judgePaperAtEnd(_ account: PushAccount, _ final: PushResult) {
        guard final.paper == .sent || final.paper == .printed, account.wholeReceipts < account.intent.copies else {
            return
        }
        // A printer that was switched off had it in its buffer.
        if world.hadFault(of: .printerPowerCycle, from: account.sentAt) { return }
        fail("\(account.name) is told as \(final.paper?.rawValue ?? "") and never came out whole")
    }
}
