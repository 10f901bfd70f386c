// Receipts: markup to printer bytes, beside the programs that shops use for it now.

import BoxAssembly
import BoxFoundation
import Glibc
import ReceiptPrinting

enum BenchReceipt {
    static let group = BenchGroup(name: "receipt", lines: lines)

    private static let receiptsInRun = 2_000
    private static let unit = BenchUnit.perSecond("receipts")

    private static func lines() throws(VerbFailure) -> [BenchLine] {
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        let profile: PrinterProfile
        do throws(PrinterProfileFault) {
            profile = try PrinterProfile.load("generic-80mm", from: resources.read)
        } catch {
            throw .failure(error.message)
        }
        let native = try setting(profile, resources, hasQRCode: true)
        let drawn = try setting(profile, resources, hasQRCode: false)
        let peers = BenchPeers(resources)
        return [
            BenchLine(
                "20 lines, the printer draws the QR code", unit, reach: "50 times the reference",
                peer: peers.peer("receiptline", "the ReceiptLine reference"),
                measure: native),
            BenchLine(
                "the same", unit, reach: "30 times python-escpos",
                peer: peers.peer("python-escpos-native", "python-escpos"), measure: native),
            BenchLine(
                "20 lines, the QR code comes as dots", unit, reach: "25 times python-escpos",
                peer: peers.peer("python-escpos-raster", "python-escpos"), measure: drawn),
            BenchLine("printer bytes back to text", unit, measure: try decoding(profile, resources)),
        ]
    }

    private static func maker(_ profile: PrinterProfile, _ resources: ResourceFolder) throws(VerbFailure)
        -> ReceiptMaker
    {
        do throws(PrinterProfileFault) {
            return try ReceiptMaker(profile: profile, language: "zh-CN", resources: resources.read)
        } catch {
            throw .failure(error.message)
        }
    }

    private static func receipt(_ maker: ReceiptMaker) throws(VerbFailure) -> [UInt8] {
        do throws(ReceiptFault) {
            return try maker.receipt(markup: Array(ReceiptSample.markup.utf8))
        } catch {
            throw .failure(error.message)
        }
    }

    private static func setting(
        _ profile: PrinterProfile, _ resources: ResourceFolder, hasQRCode: Bool
    ) throws(VerbFailure) -> () throws(VerbFailure) -> Double {
        var profile = profile
        profile.hasQRCode = hasQRCode
        let maker = try maker(profile, resources)
        let length = try receipt(maker).count
        return { () throws(VerbFailure) in
            var bytes = 0
            let rate = Bench.rate(of: receiptsInRun) {
                for _ in 0..<receiptsInRun { bytes += (try? receipt(maker))?.count ?? 0 }
            }
            precondition(bytes == receiptsInRun * length, "the same receipt is as long as before")
            return rate
        }
    }

    private static func decoding(
        _ profile: PrinterProfile, _ resources: ResourceFolder
    ) throws(VerbFailure) -> () throws(VerbFailure) -> Double {
        let bytes = try receipt(maker(profile, resources))
        let count = receiptsInRun / 10
        return { () throws(VerbFailure) in
            var shown = 0
            let rate = Bench.rate(of: count) {
                for _ in 0..<count {
                    shown += (try? ReceiptRendering.decode(bytes, as: .text, with: profile))?.count ?? 0
                }
            }
            precondition(shown > 0, "the sample shows on paper")
            return rate
        }
    }
}

/// Other programs that make receipts, run by `scripts/bench-receipt-peers`.
private struct BenchPeers {
    private let script: BenchScript

    init(_ resources: ResourceFolder) {
        script = BenchScript("bench-receipt-peers", resources)
    }

    /// - Parameter id: as the script names it; it answers microseconds a receipt.
    func peer(_ id: String, _ name: String) -> BenchLine.Peer {
        BenchLine.Peer(name: name) { () throws(VerbFailure) in
            setenv("RECEIPT_MARKUP", ReceiptSample.markup, 1)
            return try script.figure(id).map { 1e6 / $0 }
        }
    }
}
