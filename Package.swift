// swift-tools-version: 6.0
import PackageDescription

// No outside Swift package: what others keep well comes from Debian as a C library, each wrapped in one `C…` target.
// Arrows point down only; ARCHITECTURE.md draws them, and every build that CI runs checks them
// (`--explicit-target-dependency-import-check error`, see scripts/test).

/// A Debian library that Swift imports through a module map.
func library(_ name: String, pkgConfig: String? = nil, _ package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// - Parameter libraries: what the tests call of a C library beyond what the box does.
func tests(_ target: String, _ dependencies: [Target.Dependency], libraries: [String] = []) -> Target {
    .testTarget(
        name: target + "Tests", dependencies: dependencies, linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// libFuzzer's program needs a toolchain that has libFuzzer, and is nobody's but scripts/fuzz's.
let fuzzProgram: [Target] =
    Context.environment["COUNTERBOX_FUZZ"] == nil
    ? [] : [.executableTarget(name: "fuzz", dependencies: ["FuzzSubjects"], path: "Tests/FuzzProgram")]

let package = Package(
    name: "counterbox",
    products: [
        .executable(name: "counterbox", targets: ["counterbox"]),
        .executable(name: "counterdesk", targets: ["counterdesk"]),
    ],
    targets: [
        // The programs.
        .executableTarget(
            name: "counterbox",
            dependencies: [
                "BoxAssembly", "BoxRuntime", "BoxCore", "PushProtocol", "VoiceAnnouncing", "ReceiptPrinting",
                "FrontPanel",
                "ServiceConsole", "PaymentJournal", "BoxDoctor", "BoxSettings", "HardwareLinux", "HardwareInterface",
                "BoxFoundation",
            ]),
        .executableTarget(
            name: "counterdesk",
            dependencies: [
                "BoxAssembly", "BoxRuntime", "BoxCore", "PushProtocol", "VoiceAnnouncing", "ReceiptPrinting",
                "FrontPanel",
                "ServiceConsole", "PaymentJournal", "BoxSettings", "HardwareLinux", "HardwareSimulated",
                "HardwareInterface", "BoxFoundation", "CounterSimulation", "CHTTP",
            ]),

        .target(
            name: "BoxAssembly",
            dependencies: [
                "BoxCore", "PushProtocol", "VoiceAnnouncing", "ReceiptPrinting", "PaymentJournal", "BoxSettings",
                "BoxDoctor", "HardwareLinux", "HardwareInterface", "BoxFoundation",
            ]),

        // A counter and its bad days in moved time: the whole box on simulated devices, and witnesses beside it.
        .target(
            name: "CounterSimulation",
            dependencies: [
                "BoxRuntime", "BoxCore", "PushProtocol", "VoiceAnnouncing", "ReceiptPrinting", "PaymentJournal",
                "HardwareSimulated", "SimulatedDisk", "HardwareInterface", "BoxFoundation",
            ]),

        // The box.
        .target(
            name: "BoxRuntime",
            dependencies: [
                "BoxCore", "VoiceAnnouncing", "ReceiptPrinting", "PaymentJournal", "HardwareInterface", "BoxFoundation",
            ]),
        .target(
            name: "BoxCore",
            dependencies: [
                "PushProtocol", "VoiceAnnouncing", "ReceiptPrinting", "FrontPanel", "ServiceConsole", "PaymentJournal",
                "BoxDoctor", "HardwareInterface", "BoxFoundation",
            ]),

        // Its subjects.
        .target(name: "PushProtocol", dependencies: ["HardwareInterface", "BoxFoundation", "CChecksum", "CNettle"]),
        .target(name: "VoiceAnnouncing", dependencies: ["HardwareInterface", "BoxFoundation", "CSound", "CNettle"]),
        .target(
            name: "ReceiptPrinting",
            dependencies: ["HardwareInterface", "BoxFoundation", "CIconv", "CPNG", "CQRCode"]),
        .target(name: "FrontPanel", dependencies: ["BoxFoundation"]),
        .target(name: "ServiceConsole", dependencies: ["BoxFoundation"]),
        .target(name: "PaymentJournal", dependencies: ["BoxFoundation", "CSQLite"]),
        .target(name: "BoxSettings", dependencies: ["HardwareInterface", "BoxFoundation"]),
        .target(
            name: "BoxDoctor", dependencies: ["BoxSettings", "PaymentJournal", "HardwareInterface", "BoxFoundation"]),

        // What they stand on.
        .target(
            name: "HardwareLinux",
            dependencies: [
                "HardwareInterface", "BoxFoundation", "CLinux", "CALSA", "CGPIO", "CBluetooth", "CSystemBus", "CTLS",
                "CNATS",
            ]),
        .target(name: "HardwareSimulated", dependencies: ["HardwareInterface", "BoxFoundation"]),
        // SQLite's files in memory, with power cuts and faults; apart, so that the firmware does not carry it.
        .target(name: "SimulatedDisk", dependencies: ["BoxFoundation", "CSQLite"]),
        .target(name: "HardwareInterface", dependencies: ["BoxFoundation"]),
        .target(name: "BoxFoundation"),

        // C libraries, each imported by one target above.
        library("CLinux", "libc6-dev"),
        library("CALSA", pkgConfig: "alsa", "libasound2-dev"),
        .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
        .target(name: "CBluetooth", linkerSettings: [.linkedLibrary("bluetooth")]),
        .target(name: "CChecksum"),
        library("CNettle", pkgConfig: "nettle", "nettle-dev"),
        library("CSQLite", pkgConfig: "sqlite3", "libsqlite3-dev"),
        library("CIconv", "libc6-dev"),
        library("CQRCode", pkgConfig: "libqrencode", "libqrencode-dev"),
        .target(name: "CHTTP", linkerSettings: [.linkedLibrary("microhttpd")]),
        // Loaded when they are first needed, so that a box without TLS, a fleet, Bluetooth's search, pictures or MP3s
        // does not carry them.
        .target(name: "CLateLibrary"),
        .target(name: "CTLS", dependencies: ["CLateLibrary"]),
        .target(name: "CNATS", dependencies: ["CLateLibrary"]),
        .target(name: "CSystemBus", dependencies: ["CLateLibrary"]),
        .target(name: "CPNG", dependencies: ["CLateLibrary"]),
        .target(name: "CSound", dependencies: ["CLateLibrary"], linkerSettings: [.linkedLibrary("samplerate")]),
        // Only the tests read ICU: it is the independent reader of amounts.
        library("CICU", pkgConfig: "icu-i18n icu-uc", "libicu-dev"),

        // The tests mirror the targets.
        .target(
            name: "TestSupport", dependencies: ["HardwareLinux", "BoxFoundation", "CTLS"], path: "Tests/TestSupport",
            linkerSettings: [.linkedLibrary("crypto")]),
        // What reads bytes of strangers; `scripts/fuzz` and the replay of the corpus share it.
        .target(
            name: "FuzzSubjects",
            dependencies: [
                "PushProtocol", "ReceiptPrinting", "VoiceAnnouncing", "ServiceConsole", "BoxSettings",
                "HardwareInterface", "BoxFoundation",
            ], path: "Tests/FuzzSubjects"),
        tests("FuzzSubjects", ["FuzzSubjects"]),
        tests("BoxFoundation", ["BoxFoundation"]),
        tests("PushProtocol", ["PushProtocol", "HardwareInterface", "BoxFoundation"]),
        tests(
            "VoiceAnnouncing",
            [
                "VoiceAnnouncing", "HardwareSimulated", "HardwareInterface", "BoxFoundation", "CICU", "CSound",
            ], libraries: ["sndfile"]),
        tests("ReceiptPrinting", ["ReceiptPrinting", "HardwareSimulated", "HardwareInterface", "BoxFoundation"]),
        tests("FrontPanel", ["FrontPanel", "BoxFoundation"]),
        tests("ServiceConsole", ["ServiceConsole", "BoxFoundation"]),
        tests("PaymentJournal", ["PaymentJournal", "SimulatedDisk", "BoxFoundation", "CSQLite"]),
        tests("BoxSettings", ["BoxSettings", "HardwareInterface", "BoxFoundation"]),
        tests("BoxDoctor", ["BoxDoctor", "BoxSettings", "PaymentJournal", "HardwareInterface", "BoxFoundation"]),
        tests(
            "HardwareContract",
            [
                "TestSupport", "HardwareLinux", "HardwareSimulated", "ReceiptPrinting", "HardwareInterface",
                "BoxFoundation",
            ]),
        tests(
            "BoxAssembly",
            [
                "TestSupport", "BoxAssembly", "BoxRuntime", "BoxCore", "BoxDoctor", "BoxSettings", "PaymentJournal",
                "PushProtocol", "VoiceAnnouncing", "HardwareLinux", "HardwareSimulated", "HardwareInterface",
                "BoxFoundation", "CSound",
            ], libraries: ["sndfile"]),
        tests(
            "HardwareLinux",
            ["TestSupport", "HardwareLinux", "PushProtocol", "HardwareInterface", "BoxFoundation", "CTLS"]),
        tests(
            "Simulation", ["CounterSimulation", "counterdesk", "VoiceAnnouncing", "BoxFoundation"]),
        tests(
            "counterdesk",
            [
                "TestSupport", "counterdesk", "BoxAssembly", "BoxCore", "PushProtocol", "ReceiptPrinting", "FrontPanel",
                "HardwareLinux", "HardwareSimulated", "HardwareInterface", "BoxFoundation",
            ]),
        tests(
            "BoxRuntime",
            [
                "TestSupport", "counterdesk", "HardwareLinux", "BoxRuntime", "BoxCore", "PushProtocol",
                "VoiceAnnouncing", "ReceiptPrinting", "FrontPanel",
                "ServiceConsole", "PaymentJournal", "BoxDoctor", "HardwareSimulated", "HardwareInterface",
                "BoxFoundation",
            ]),
    ] + fuzzProgram,
    swiftLanguageModes: [.v6]
)

// The box does without the standard library's regular expressions: a megabyte of program, which the import alone
// brings in.
for target in package.targets where target.type == .regular || target.type == .executable {
    target.swiftSettings = [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]
}
