import BoxFoundation
import HardwareInterface
import HardwareSimulated
import ReceiptPrinting
import Testing

/// Status bits, and questions whose answers do not name them (`docs/field-reports.md` 63, 65).
@Suite struct PrinterStatusTests {
    private static func report(_ answers: [(PrinterQuestion, UInt8)]) -> PrinterState {
        var status = PrinterStatus()
        for (question, byte) in answers { status.take(byte, to: question) }
        return status.report.state
    }

    @Test("Answers to real time questions are read bit by bit")
    func answersToRealTimeQuestionsAreReadBitByBit() {
        #expect(Self.report([(.printer, 0x12), (.offlineCause, 0x12), (.paper, 0x12)]) == .ready)
        #expect(Self.report([(.printer, 0x1A)]) == .error)
        #expect(Self.report([(.printer, 0x1A), (.offlineCause, 0x16)]) == .coverOpen)
        #expect(Self.report([(.printer, 0x1A), (.offlineCause, 0x32)]) == .paperOut)
        #expect(Self.report([(.paper, 0x1E)]) == .paperLow)
        #expect(Self.report([(.paper, 0x7E)]) == .paperOut)
        #expect(Self.report([(.offlineCause, 0x52), (.errorCause, 0x1A)]) == .error)
        #expect(Self.report([(.paper, 0x7E), (.paper, 0x12)]) == .ready)
        #expect(Self.report([(.errorCause, 0x5A), (.offlineCause, 0x12)]) == .ready)
    }

    @Test("Automatic status is read in any split")
    func automaticStatusIsReadInAnySplit() {
        let cases: [([UInt8], PrinterState)] = [
            ([0x10, 0x00, 0x00, 0x00], .ready), ([0x18, 0x00, 0x0C, 0x00], .paperOut),
            ([0x38, 0x00, 0x00, 0x00], .coverOpen), ([0x10, 0x00, 0x03, 0x00], .paperLow),
            ([0x18, 0x08, 0x00, 0x00], .error),
        ]
        for (bytes, state) in cases {
            for cut in 0...4 {
                var reader = PrinterAnswerReader()
                let messages = reader.take(bytes[..<cut]) + reader.take(bytes[cut...])
                #expect(messages == [.automatic(bytes)])
                var status = PrinterStatus()
                status.take(automatic: bytes)
                #expect(status.report.state == state)
            }
        }
    }

    @Test("Answers are told apart wherever they come")
    func answersAreToldApartWhereverTheyCome() {
        var reader = PrinterAnswerReader()
        // Noise, an answer within an automatic status, XON and XOFF, a job's number, an answer.
        let bytes: [UInt8] = [
            0xFF, 0x00, 0x18, 0x12, 0x00, 0x0C, 0x00, 0x11, 0x13, 0x37, 0x22, 0x21, 0x22, 0x23, 0x12, 0x00, 0x16,
        ]
        #expect(
            reader.take(bytes) == [
                .realTime(0x12), .automatic([0x18, 0x00, 0x0C, 0x00]), .processID([0x21, 0x22, 0x23, 0x12]),
                .realTime(0x16),
            ])
    }

    // MARK: - Whose answer

    private let start = Moment.zero + .seconds(1)

    /// Writes the question that is due.
    private func ask(_ questions: inout PrinterQuestions, at now: Moment) -> UInt8? {
        defer { questions.asked(within: PrinterQuestions.answerLimit, at: now) }
        return questions.question?.last
    }

    @Test("A round asks in order and matches in order")
    func aRoundAsksInOrderAndMatchesInOrder() {
        var questions = PrinterQuestions()
        questions.begin(.full, at: start)
        for question in [PrinterQuestion.printer, .offlineCause, .paper] {
            #expect(ask(&questions, at: start) == question.rawValue)
            #expect(questions.question == nil)
            #expect(questions.take(0x12, at: start) == question)
        }
        #expect(questions.outcome == .answered)
        #expect(!questions.isOpen)
    }

    @Test("The cause of an error is asked for only where there is one")
    func theCauseOfAnErrorIsAskedForOnlyWhereThereIsOne() {
        var questions = PrinterQuestions()
        questions.begin(.quick, at: start)
        #expect(ask(&questions, at: start) == 1)
        #expect(questions.take(0x1A, at: start) == .printer)
        #expect(ask(&questions, at: start) == 2)
        #expect(questions.take(0x52, at: start) == .offlineCause)
        #expect(ask(&questions, at: start) == 3)
        #expect(questions.take(0x32, at: start) == .errorCause)
        #expect(ask(&questions, at: start) == 4)
    }

    @Test("A byte that nobody asked for is dropped")
    func aByteThatNobodyAskedForIsDropped() {
        var questions = PrinterQuestions()
        #expect(questions.take(0x7E, at: start) == nil)
        questions.begin(.full, at: start)
        // Stale: it came before the question was out.
        #expect(questions.take(0x7E, at: start) == nil)
        #expect(ask(&questions, at: start) == 1)
        #expect(questions.take(0x12, at: start) == .printer)
    }

    @Test("A late answer is never taken for the next question's")
    func aLateAnswerIsNeverTakenForTheNextQuestions() {
        var questions = PrinterQuestions()
        questions.begin(.full, at: start)
        _ = ask(&questions, at: start)
        _ = questions.take(0x12, at: start)
        // The answer to question 2 is late: the same is asked again, and both answers come.
        #expect(ask(&questions, at: start) == 2)
        let late = start + PrinterQuestions.answerLimit
        questions.expired(at: late)
        #expect(ask(&questions, at: late) == 2)
        #expect(questions.take(0x16, at: late) == .offlineCause)
        #expect(questions.question == nil, "the second answer is awaited first")
        #expect(questions.take(0x16, at: late) == nil)
        #expect(ask(&questions, at: late) == 4)
        #expect(questions.take(0x12, at: late) == .paper)
    }

    @Test("An answer that never comes does not hold the rest up")
    func anAnswerThatNeverComesDoesNotHoldTheRestUp() {
        var questions = PrinterQuestions()
        var now = start
        questions.begin(.full, at: now)
        _ = ask(&questions, at: now)
        _ = questions.take(0x12, at: now)
        for _ in 0..<PrinterQuestions.mostTries {
            #expect(ask(&questions, at: now) == 2)
            now = now + PrinterQuestions.answerLimit
            questions.expired(at: now)
        }
        now = now + PrinterQuestions.answerLimit
        questions.expired(at: now)
        #expect(ask(&questions, at: now) == 4)
        #expect(questions.take(0x12, at: now) == .paper)
        #expect(questions.outcome == .answered)
        // From then on it is left out.
        questions.begin(.full, at: now)
        #expect(ask(&questions, at: now) == 1)
        _ = questions.take(0x12, at: now)
        #expect(ask(&questions, at: now) == 4)
    }

    @Test("A printer that never answered is asked once a round")
    func aPrinterThatNeverAnsweredIsAskedOnceARound() {
        var questions = PrinterQuestions()
        questions.begin(.full, at: start)
        _ = ask(&questions, at: start)
        questions.expired(at: start + PrinterQuestions.answerLimit)
        #expect(questions.outcome == .silent)
        #expect(!questions.hasAnswered)
    }
}
