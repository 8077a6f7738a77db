// swift-tools-version: 6.2

import PackageDescription

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// Whether ISA-L inflates what is deflated; where it is not installed, or `DAE_WITHOUT_ISAL` is set, libzip does.
let hasISAL =
    Context.environment["DAE_WITHOUT_ISAL"] == nil
    && ["/usr", "/usr/local", "/opt/homebrew"].contains { access("\($0)/include/isa-l.h", R_OK) == 0 }
let isal: [Target] =
    hasISAL
    ? [.systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"]), .brew(["isa-l"])])] : []

/// One module a job. What it may import is what it depends on here, which `scripts/gates/check-arrows` holds the
/// sources and the README's table against.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings + more)
}

/// A product of a package that only the service needs: a user who says `traits: []` does not even resolve it. A trait
/// is told to every source, so that with another one all is compiled again; `DAE_SERVICE` says the same without that.
func service(_ product: String, _ package: String) -> Target.Dependency {
    let isWanted = Context.environment["DAE_SERVICE"] != nil
    return .product(name: product, package: package, condition: isWanted ? nil : .when(traits: ["Service"]))
}

/// The tests of one module, in the folder that bears its name.
func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + dependencies,
        swiftSettings: settings)
}

/// A program that measures what the package keeps to itself.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Tests/Programs/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "Daedalus",
    // By what the sources use of the standard library; built and tested is Linux alone.
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Daedalus", targets: ["Daedalus", "DaeFoundation"]),
        .executable(name: "dae", targets: ["dae"]),
        .executable(name: "daed", targets: ["daed"]),
    ],
    traits: [
        .trait(name: "Service", description: "The HTTP service `daed` with its web server and database."),
        .default(enabledTraits: ["Service"]),
    ],
    dependencies: [
        // What the bottom stands on; the others are of the programs.
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: isal + [
        // C libraries, each imported by exactly one Swift module.
        .systemLibrary(
            name: "CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(
            name: "CLibZip", pkgConfig: "libzip",
            providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
        .systemLibrary(
            name: "CLibCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CLibZ", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // What the C library's allocator can be told.
        .systemLibrary(name: "CAllocator"),

        // libcurl, libjpeg, meshoptimizer, libpq, libtiff and libwebp are loaded when they are first needed, so these are
        // not linked to them.
        module("CLibCurl"),
        module("CLibJPEG"),
        module("CLibMeshOptimizer"),
        module("CLibPQ"),
        module("CLibTIFF"),
        module("CLibWebP"),

        // Vector instructions, for long lists of numbers.
        .target(name: "CTextScan"),

        // Files that the service serves: the compiler for C puts them into the program at no cost.
        .target(name: "CServiceFiles", exclude: ["openapi.json", "page"]),

        // What a process gives up by system calls that the C library has no functions for.
        .target(name: "CSandbox"),

        // The bottom.
        module("DaeCore", ["CLibCrypto", .product(name: "SystemPackage", package: "swift-system")]),
        module("DaeDiagnostics", ["DaeCore"]),
        module("DaeNumbers", ["CTextScan"]),
        // A property that is a span has to say how long it lasts.
        module("DaeScene", ["DaeCore"], [.enableExperimentalFeature("Lifetimes")]),
        module("DaeMesh", ["DaeScene", "DaeDiagnostics", "DaeCore"]),

        // Reading.
        module("DaeXML", ["CLibXML2", "CTextScan", "DaeDiagnostics", "DaeCore"]),
        module("DaeSchema", ["DaeXML", "DaeNumbers", "DaeDiagnostics"]),
        module("DaeCollada", ["DaeSchema", "DaeXML", "DaeNumbers", "DaeScene", "DaeDiagnostics", "DaeCore"]),
        module("DaeArchive", (hasISAL ? ["CISAL"] : []) + ["CLibZip", "DaeXML", "DaeDiagnostics", "DaeCore"]),
        module("DaeImages", ["CLibZ", "CLibJPEG", "CLibTIFF", "CLibWebP", "DaeDiagnostics"]),
        module("DaeResources", ["DaeArchive", "DaeImages", "DaeDiagnostics", "DaeCore"]),
        module("DaeDownload", ["CLibCurl", "DaeDiagnostics", "DaeCore"]),

        // Judging.
        module("DaeValidation", ["DaeCollada", "DaeXML", "DaeMesh", "DaeScene", "DaeDiagnostics"]),

        // Handing over.
        module(
            "DaeExport", ["CLibMeshOptimizer", "DaeImages", "DaeMesh", "DaeScene", "DaeDiagnostics", "DaeCore"]),

        // Showing.
        module("DaeRender", ["DaeMesh", "DaeScene", "DaeImages", "DaeDiagnostics", "DaeCore"]),

        // Putting together.
        module(
            "DaePipeline",
            [
                "DaeArchive", "DaeCollada", "DaeDownload", "DaeExport", "DaeRender", "DaeImages", "DaeResources",
                "DaeValidation", "DaeXML", "DaeMesh", "DaeScene", "DaeNumbers", "DaeDiagnostics", "DaeCore",
            ]),
        module("DaeObjectStore", ["DaeDownload", "DaeXML", "DaeDiagnostics", "DaeCore"]),
        module("DaeServiceClient", ["DaePipeline", "DaeDownload", "DaeMesh", "DaeDiagnostics", "DaeCore"]),
        module(
            "Daedalus",
            [
                "DaeServiceClient", "DaePipeline", "DaeArchive", "DaeCollada", "DaeDownload", "DaeExport", "DaeRender",
                "DaeImages", "DaeResources", "DaeXML", "DaeMesh", "DaeScene", "DaeDiagnostics",
            ]),
        // Linked to whoever takes the library's product, and to neither program.
        module("DaeFoundation", ["DaeServiceClient", "DaeDownload", "DaeRender", "DaeMesh", "DaeDiagnostics"]),
        .executableTarget(
            name: "dae",
            dependencies: [
                "CAllocator", "Daedalus", "DaeCore", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // The service.
        module("DaePostgreSQL", ["CLibPQ", "DaeCore"]),
        module(
            "DaeService",
            [
                "CSandbox", "CServiceFiles", "DaeObjectStore", "DaePostgreSQL", "Daedalus", "DaeCore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                service("Hummingbird", "hummingbird"), service("HummingbirdCore", "hummingbird"),
                service("GRDB", "GRDB.swift"),
                service("NIOCore", "swift-nio"), service("NIOHTTP1", "swift-nio"), service("NIOPosix", "swift-nio"),
                service("NIOExtras", "swift-nio-extras"), service("NIOHTTPTypes", "swift-nio-extras"),
                service("NIOHTTPTypesHTTP1", "swift-nio-extras"),
                service("Logging", "swift-log"), service("ServiceLifecycle", "swift-service-lifecycle"),
                service("UnixSignals", "swift-service-lifecycle"),
            ]),
        .executableTarget(name: "daed", dependencies: ["DaeService"], swiftSettings: settings),

        // Tests.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        // Loads documents with everything kept, and says what that cost.
        .systemLibrary(name: "CLibMalloc", path: "Tests/Programs/CLibMalloc"),
        program("DaeMeasure", ["CLibMalloc", "DaeExport", "DaeMesh", "DaeCollada", "DaeScene"]),
        // Loads files from path to scene, and does nothing else: scripts/benchmark.
        program("DaeLoad", ["DaePipeline", "DaeArchive", "DaeCollada", "DaeScene"]),
        tests(of: "DaeCore"),
        tests(of: "DaeDiagnostics"),
        tests(of: "DaeNumbers"),
        tests(of: "DaeScene", ["DaeCore"]),
        tests(of: "DaeMesh", ["DaeScene"]),
        tests(of: "DaeXML", ["DaeDiagnostics"]),
        tests(of: "DaeSchema", ["DaeXML"]),
        tests(of: "DaeCollada", ["DaeSchema", "DaeXML", "DaeScene", "DaeDiagnostics"]),
        tests(of: "DaeArchive", ["DaeDiagnostics", "DaeCore"]),
        tests(of: "DaeImages", ["DaeDiagnostics"]),
        tests(of: "DaeResources", ["DaeArchive", "DaeImages", "DaeDiagnostics", "DaeCore"]),
        tests(
            of: "DaeValidation",
            [
                "DaePipeline", "DaeArchive", "DaeCollada", "DaeDownload", "DaeExport", "DaeResources", "DaeXML",
                "DaeMesh", "DaeScene", "DaeDiagnostics", "DaeCore",
            ]),
        tests(of: "DaeExport", ["DaeCollada", "DaeMesh", "DaeScene", "DaeDiagnostics"]),
        tests(of: "DaeRender", ["DaePipeline", "DaeImages", "DaeMesh", "DaeScene", "DaeDiagnostics", "DaeCore"]),
        tests(of: "DaeDownload", ["DaeDiagnostics", "DaeCore"]),
        tests(
            of: "DaePipeline",
            [
                "DaeArchive", "DaeCollada", "DaeDownload", "DaeExport", "DaeImages", "DaeResources", "DaeXML",
                "DaeMesh", "DaeScene", "DaeDiagnostics", "DaeCore",
            ]),
        tests(of: "DaeObjectStore", ["DaeDownload", "DaeCore"]),
        tests(of: "DaeServiceClient", ["DaePipeline", "DaeDownload", "DaeScene", "DaeDiagnostics"]),
        tests(of: "Daedalus", ["DaeFoundation"]),
        tests(of: "DaePostgreSQL"),
        .testTarget(name: "ConformanceTests", dependencies: ["TestSupport", "Daedalus"], swiftSettings: settings),
        .testTarget(
            name: "DaeServiceTests",
            dependencies: [
                "TestSupport", "DaeService", "DaeObjectStore", "DaePostgreSQL", "Daedalus",
                service("GRDB", "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(name: "CommandLineTests", dependencies: ["TestSupport", "Daedalus"], swiftSettings: settings),
    ]
)

// A module holds the layout of every type that it is given, be it of a module that it never imports, but the package
// manager builds it again for those alone that it depends on by name. So each names all that it stands on, and the
// library gives them all to its users. With `DAE_DECLARED` only what is written above is said, for `check-arrows`.
let own = Dictionary(uniqueKeysWithValues: package.targets.lazy.filter { $0.type == .regular }.map { ($0.name, $0) })
let below = { (target: Target) in
    var (found, open): (Set<String>, [Target]) = ([], [target])
    while let next = open.popLast() {
        for case .byNameItem(let name, _) in next.dependencies {
            guard let module = own[name], found.insert(name).inserted else { continue }
            open.append(module)
        }
    }
    return found
}
let isWhole = Context.environment["DAE_DECLARED"] == nil
for (target, names) in zip(package.targets, package.targets.map(below)) where isWhole {
    var others = names
    for case .byNameItem(let name, _) in target.dependencies { others.remove(name) }
    target.dependencies += others.sorted().map { .init(stringLiteral: $0) }
}
if let library = own["Daedalus"], let errors = own["DaeFoundation"] {
    package.products[0] = .library(
        name: library.name, targets: [library.name, errors.name] + below(library).union(below(errors)).sorted())
}

/// With `DAE_TESTS`, a comma-separated list of modules, only their tests and what these need are built, the programs that
/// they start among it. Where none of that needs a package none is fetched: a build under a sanitizer takes long.
if let named = Context.environment["DAE_TESTS"] {
    let programs = ["DaeServiceTests": ["dae", "daed"], "CommandLineTests": ["dae", "DaeMeasure"]]
    var kept: Set<String> = []
    var open = named.split(separator: ",").map { "\($0)Tests" }
    while let name = open.popLast() {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for case .byNameItem(let needed, _) in target.dependencies { open.append(needed) }
        open += programs[name] ?? []
    }
    package.targets.removeAll { !kept.contains($0.name) }
    // Where the modules are optimised their tests are not: most of what such a build takes would be theirs.
    for target in package.targets where target.type == .test || target.name == "TestSupport" {
        target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
    package.products = []
    if !kept.contains("dae") {
        package.dependencies.removeSubrange(1...)
        package.traits = []
    }
}
