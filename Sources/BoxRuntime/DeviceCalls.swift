// Calls of voice and paper, each done on its device and answered with what came of it.

import BoxCore
import HardwareInterface
import ReceiptPrinting
import VoiceAnnouncing

extension BoxRuntime {
    func perform(_ call: SpeakerCall) -> PlaybackEvent? {
        let speaker = devices.speaker
        do throws(SpeakerError) {
            switch call {
            case .open(let rate): return .opened(try speaker.open(rate: rate))
            case .write(let samples): return .wrote(try speaker.write(samples))
            case .askUnplayed: return .unplayed(try speaker.unplayed())
            case .recover:
                try speaker.recover()
                return .recovered
            case .awaitRoom: speaker.awaitRoom()
            case .drop: speaker.drop()
            case .close: speaker.close()
            }
            return nil
        } catch {
            return .failed(error)
        }
    }

    func perform(_ call: PrinterCall) -> PrinterAnswer? {
        let printer = devices.printer
        switch call {
        case .connect: printer.connect()
        case .write(let bytes):
            do throws(PrinterLinkError) {
                return .wrote(try printer.write(bytes))
            } catch {
                return .writeFailed(error)
            }
        case .askUnsent: return .unsent(printer.unsent())
        case .awaitRoom: printer.awaitRoom()
        case .disconnect: printer.disconnect()
        }
        return nil
    }
}
