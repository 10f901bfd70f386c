// counterbox: the firmware and its field verbs.

import Glibc

exit(CommandLineVerbs.run(Array(CommandLine.arguments.dropFirst())).rawValue)
