// One place where the tests get printers, resources and payments from.

import BoxFoundation
import Glibc
import ReceiptPrinting

enum ReceiptFixtures {
    /// A file below `Resources`.
    static func resource(_ name: String) -> [UInt8]? {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return file("/\(root)/Resources/\(name)")
    }

    static func file(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&block, 1, block.count, file)
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
    }

    static func profile(_ id: String = "generic-58mm") -> PrinterProfile {
        do {
            return try PrinterProfile.load(id, from: resource)
        } catch {
            fatalError(error.message)
        }
    }

    static func encoding(_ name: String = "GB18030") -> PrinterEncoding {
        guard let encoding = PrinterEncoding(name) else { fatalError(name) }
        return encoding
    }

    static func maker(_ id: String = "generic-58mm", language: String = "zh-CN") throws -> ReceiptMaker {
        try ReceiptMaker(profile: profile(id), language: language, resources: resource)
    }

    static func payment(
        _ amount: String? = "12.50", kind: Payment.Kind = .payment, channel: PaymentChannel = .wechat,
        currency: Currency = .cny, receipt: Payment.Receipt = .slip, order: String? = "20261129-0017",
        time: String? = "2026-11-29 18:05:00", speech: Payment.Speech = .amount
    ) -> Payment {
        Payment(
            kind: kind, amount: amount.flatMap { Money($0, currency: currency) }, channel: channel, speech: speech,
            receipt: receipt, order: order, time: time)
    }

    static let now = CivilTime(WallTime(milliseconds: 1_795_946_700_000), offset: 8 * 3600)

    /// What the paper shows.
    static func paper(_ bytes: [UInt8], _ profile: PrinterProfile = profile(), showsCodes: Bool = false) -> String {
        guard var printer = VirtualPrinter(profile: profile) else { fatalError(profile.id) }
        printer.print(bytes)
        return printer.roll.text(showsCodes: showsCodes)
    }

    static func text(_ markup: String, columns: Int = 32, encoding: PrinterEncoding = encoding()) throws -> String {
        try PlainText.text(of: markup, columns: columns, encoding: encoding)
    }
}
