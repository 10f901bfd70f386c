// counterdesk: the desktop companion of the box. Never on a box.

import BoxAssembly

let verbs = VerbTable(
    program: "counterdesk", about: "A counter without hardware, for those who build on the box.",
    verbs: [RunVerb.verb, HubVerb.verb, SimulateVerb.verb, FleetVerb.verb, BenchVerb.verb])
verbs.main(Array(CommandLine.arguments.dropFirst()))
