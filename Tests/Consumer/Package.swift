// swift-tools-version: 6.2

// A library user's package: compiles and runs the README's lines and those of the articles, and shows what `traits: []`
// leaves out.

import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
    name: "Consumer",
    dependencies: [
        // Named, since the folder of a checkout may be called anything.
        .package(name: "Daedalus", path: "../..", traits: [])
    ],
    targets: [
        // The README's lines.
        .executableTarget(
            name: "Consumer", dependencies: [.product(name: "Daedalus", package: "Daedalus")],
            swiftSettings: settings),
        // A file for each article, with the code that it shows.
        .executableTarget(
            name: "Articles", dependencies: ["Diagnostics", .product(name: "Daedalus", package: "Daedalus")],
            swiftSettings: settings),
        .target(name: "Diagnostics", swiftSettings: settings),
    ]
)
