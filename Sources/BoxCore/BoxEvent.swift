// All that can happen to the box, and all that it can do about it.

import BoxFoundation
import FrontPanel
import HardwareInterface
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import VoiceAnnouncing

/// All that can happen to the box. The runtime hands them over one at a time.
package enum BoxEvent: Sendable {
    /// Once, before anything else.
    case started(buttonIsPressed: Bool?)
    case network(NetworkEvent)
    case fleet(FleetEvent)
    case speaker(SpeakerEvent)
    /// What came of the speaker call before.
    case speakerAnswered(PlaybackEvent)
    case speech(SpeechID, SpeechEvent)
    case printer(PrinterEvent)
    /// What came of the printer call before.
    case printerAnswered(PrinterAnswer)
    case bluetooth(BluetoothEvent)
    case button(ButtonEvent)
    case console(ConsoleEvent)
    case journal(JournalAnswer)
    case machine(MachineAnswer)
    /// A device has logged something itself; for the console.
    case logged(LogEntry)
    /// Whether connections are taken; why not, where they are not.
    case listening(String?)
    case timer(BoxTimer)
    case signal(SignalEvent)
    /// All events of this turn of the loop are handled: what waits to be done together is done now.
    case turnEnded
}

/// What came of a call to the printer's device.
package enum PrinterAnswer: Equatable, Sendable {
    case wrote(Int)
    case writeFailed(PrinterLinkError)
    case unsent(Int)
}

/// All that the box can want done. Effects are performed first come first served; what comes of one is a new event.
package enum BoxEffect: Sendable {
    /// Take connections from now on.
    case listen
    /// Open a connection to the hub: `opened` or `closed` follows. Certificates are judged by this time.
    case dial(judgingAt: WallTime)
    case send([UInt8], ConnectionID)
    case close(ConnectionID)
    case fleet(FleetCall, ConnectionID)
    /// Answered by `speakerAnswered`, but for calls that have nothing to say.
    case speaker(SpeakerCall)
    /// Answered by `speech` events with this id.
    case speak(SpeechID, words: String, language: String)
    case stopSpeech
    /// Answered by `printerAnswered`, but for calls that have nothing to say.
    case printer(PrinterCall)
    case bluetooth(BluetoothCall)
    /// From now on and after a restart the printer is this one: the setting is kept, the device is another. Printer calls
    /// that follow go to it.
    case usePrinter(PrinterAddress)
    case light(Int)
    /// What the light says from now on, for one that has colours.
    case lightMeaning(LightMeaning)
    case console([UInt8])
    /// Answered by `journal`; never a second one before that.
    case journal(JournalBatch)
    /// Answered by `machine`, in order.
    case machine(MachineRequest)
    /// A line for people in whatever watches over the service.
    case serviceStatus(String)
    /// The box has begun to stop.
    case stopping
    /// The machine is to be restarted once the box has stopped.
    case restartMachine
    /// Sets a timer anew, or with nil cancels it.
    case timer(BoxTimer, at: Moment?)
    /// Replaces a small file of the state folder.
    case save([UInt8], as: String)
    case log(LogEntry)
    /// For whoever looks on (the virtual counter, tests); the box does not need it.
    case news(BoxNews)
    /// Everything is done that can be: leave the loop.
    case stop
}

/// What is worth showing to somebody who looks on.
package enum BoxNews: Equatable, Sendable {
    case phraseBegan(words: String)
    case phraseEnded(VoiceEnd)
    case receiptEnded(PaperEnd, cause: String?)
    case light(LightState, pattern: String)
    case printer(PrinterReport)
    /// A frame of a traced connection, without secrets.
    case frame(ConnectionID, String)
}

/// Every timer of the box. One that comes early, late or twice does no harm.
package enum BoxTimer: Hashable, Sendable {
    /// A push connection's own (`SessionTimer`).
    case session(ConnectionID, SessionTimer)
    case voice(AnnouncerTimer)
    case printer(PrinterTimer)
    /// The search for a printer or its pairing has taken its time.
    case pairing
    case panel(PanelTimer)
    /// After a restart: the age of what waits is now unknown for good.
    case age
    /// The hub is dialled again.
    case redial
    /// A STATUS that could wait is due.
    case status
    /// The next minute of the civil time has begun, for the quiet hours.
    case minute
    /// The journal is tried again after a failure.
    case journalRetry
    /// The journal is pruned.
    case prune
    /// The box stops now, whatever is left.
    case stop
    /// The machine is looked at again.
    case examination
    /// The console takes the next part of the support file.
    case supportFile
}
