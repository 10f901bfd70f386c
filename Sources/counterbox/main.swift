// counterbox: the firmware and its field verbs.

import BoxAssembly
import Glibc

let verbs = VerbTable(
    program: "counterbox", about: "The box on a shop's counter that speaks and prints every payment.",
    verbs: [
        RunVerb.verb, SayVerb.verb, PushVerb.verb, ReceiptVerbs.render, ReceiptVerbs.decode, VoiceVerbs.check,
        ConfigVerbs.check,
        ConfigVerbs.show, KeyVerb.new, KeyVerb.nkey,
    ])
exit(verbs.run(Array(CommandLine.arguments.dropFirst())).rawValue)
