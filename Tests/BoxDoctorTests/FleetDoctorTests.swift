import BoxDoctor
import HardwareInterface
import Testing

@Suite("The doctor of a fleet's box")
struct FleetDoctorTests {
    @Test(
        "Each fault of the server has its finding and its cure",
        arguments: [
            (.noPushStream("COUNTERBOX_PUSH"), "--setup"), (.noStatusStream("COUNTERBOX_STATUS"), "--setup"),
            (.noConsumer("consumer not found"), "--user"), (.notAllowed("Permissions Violation"), "--user"),
            (.silent, "look at the server"),
        ] as [(FleetFault, String)])
    func faults(fault: FleetFault, cure: String) {
        var facts = DoctorFacts()
        facts.fleet = fault
        let report = Doctor.examine(facts)
        #expect(report.exitStatus == 1)
        #expect(report.lines.contains { $0.contains(fault.message) && $0.contains(cure) }, "\(report.lines)")
    }

    @Test("Outcomes that nobody keeps are no fault of the box: it speaks and prints")
    func results() {
        var facts = DoctorFacts()
        facts.fleet = .noResultStream("COUNTERBOX_RESULT")
        #expect(Doctor.examine(facts).exitStatus == 0)
    }
}
