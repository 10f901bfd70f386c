// counterbox: the firmware and its field verbs.

import BoxAssembly

let verbs = VerbTable(
    program: "counterbox", about: "The box on a shop's counter that speaks and prints every payment.",
    verbs: [
        RunVerb.verb, DoctorVerb.verb, SayVerb.verb, PushVerb.verb, ReceiptVerbs.render, ReceiptVerbs.decode,
        VoiceVerbs.check, PrinterVerbs.scan, PrinterVerbs.pair, PrinterVerbs.status, PrinterVerbs.test,
        ConfigVerbs.check, ConfigVerbs.show, KeyVerb.new, KeyVerb.nkey, SetupVerb.verb,
    ])
verbs.main(Array(CommandLine.arguments.dropFirst()))
