// swift-tools-version: 6.0
import PackageDescription

// No outside Swift package: what others keep well comes from Debian as a C library, each wrapped in one `C…` target.
// Arrows point down only; ARCHITECTURE.md draws them, and every build that CI runs checks them
// (`--explicit-target-dependency-import-check error`, see scripts/test).

/// A Debian library that Swift imports through a module map.
func library(_ name: String, pkgConfig: String? = nil, _ package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func tests(_ target: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: target + "Tests", dependencies: dependencies)
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
        .target(name: "PushProtocol", dependencies: ["HardwareInterface", "BoxFoundation", "CChecksum", "CCrypto"]),
        .target(name: "VoiceAnnouncing", dependencies: ["HardwareInterface", "BoxFoundation", "CSound", "CCrypto"]),
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
        library("CSystemBus", pkgConfig: "libsystemd", "libsystemd-dev"),
        .target(name: "CChecksum"),
        library("CCrypto", pkgConfig: "libcrypto", "libssl-dev"),
        library("CTLS", pkgConfig: "libssl", "libssl-dev"),
        library("CNATS", pkgConfig: "libnats", "libnats-dev"),
        library("CSQLite", pkgConfig: "sqlite3", "libsqlite3-dev"),
        library("CIconv", "libc6-dev"),
        library("CPNG", pkgConfig: "libpng", "libpng-dev"),
        library("CQRCode", pkgConfig: "libqrencode", "libqrencode-dev"),
        .target(name: "CHTTP", linkerSettings: [.linkedLibrary("microhttpd")]),
        library("CSound", pkgConfig: "sndfile samplerate", "libsndfile1-dev"),
        // Only the tests read ICU: it is the independent reader of amounts.
        library("CICU", pkgConfig: "icu-i18n icu-uc", "libicu-dev"),

        // The tests mirror the targets.
        .target(
            name: "TestSupport", dependencies: ["HardwareLinux", "BoxFoundation", "CTLS"], path: "Tests/TestSupport"),
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
            ]),
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
            ]),
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
