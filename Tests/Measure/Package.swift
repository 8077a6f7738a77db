// swift-tools-version: 6.2

// Loads documents with everything kept, and says what that cost: see `scripts/measure`.

import PackageDescription

let package = Package(
    name: "Measure",
    dependencies: [
        // Named, since the folder of a checkout may be called anything.
        .package(name: "Daedalus", path: "../..", traits: [])
    ],
    targets: [
        .systemLibrary(name: "CMalloc"),
        .executableTarget(
            name: "Measure", dependencies: ["CMalloc", .product(name: "Daedalus", package: "Daedalus")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
