// swift-tools-version: 6.2

// A library user's package: compiles and runs the README's lines, and shows what `traits: []` leaves out.

import PackageDescription

let package = Package(
    name: "Consumer",
    dependencies: [
        // Named, since the folder of a checkout may be called anything.
        .package(name: "Daedalus", path: "../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "Consumer", dependencies: [.product(name: "Daedalus", package: "Daedalus")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .systemLibrary(name: "CMalloc"),
        // Loads documents with everything kept, and says what that cost: scripts/tools/measure.
        .executableTarget(
            name: "Measure", dependencies: ["CMalloc", .product(name: "Daedalus", package: "Daedalus")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        // Loads files from path to scene, and does nothing else: scripts/benchmark.
        .executableTarget(
            name: "Load", dependencies: [.product(name: "Daedalus", package: "Daedalus")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
