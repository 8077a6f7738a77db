import DaeCore
import DaeDiagnostics
import DaeResources
import TestSupport
import Testing

/// `package://`, `model://` and addresses of Gazebo Fuel, in bundles and on this machine.
@Suite struct AddressRuleTests {
    private static let package = Array("<?xml version='1.0'?><package format='2'><name> arm </name></package>".utf8)
    private static let model = Array("<model><name>Arm model</name><author><name>me</name></author></model>".utf8)

    private func resolve(
        _ reference: String, _ files: [String], contents: [String: [UInt8]] = [:], _ roots: [HostRoot]? = nil,
        from base: String = "meshes/a.dae"
    ) -> Resolution {
        let policy = roots.map { LocatorPolicy.hostPaths($0) } ?? .bundleOnly
        return ResourceLocator(container: ResourceList(files, contents: contents), policy: policy)
            .resolve(reference, from: base)
    }

    // MARK: In the bundle

    @Test func aPackageOfTheBundleIsKnownByItsManifest() {
        let files = ["src/x1/package.xml", "src/x1/tex/x.png", "src/x2/tex/x.png"]
        let resolution = resolve("package://arm/tex/x.png", files, contents: ["src/x1/package.xml": Self.package])
        #expect(resolution.outcome == found("src/x1/tex/x.png", .rosPackage, .certain))
        #expect(resolution.imageFindings().isEmpty)
        let encoded = resolve(
            "package://arm/tex/x%20y.png", ["p/package.xml", "p/tex/x y.png"], contents: ["p/package.xml": Self.package]
        )
        #expect(encoded.rule == .rosPackage)
        let other = resolve("package://leg/tex/y.png", files, contents: ["src/x1/package.xml": Self.package])
        #expect(other.imageFindings().map(\.code) == [.resourcePackageUnknown])
        #expect(other.trace.contains { $0.path == "leg" && $0.result == .unknownName })
    }

    @Test func aModelOfTheBundleIsKnownByItsManifestOrFolder() {
        let files = ["m/arm_1/model.config", "m/arm_1/materials/x.png", "m/other/materials/x.png"]
        let contents = ["m/arm_1/model.config": Self.model]
        for name in ["Arm model", "Arm%20model", "arm_1"] {
            let resolution = resolve("model://\(name)/materials/x.png", files, contents: contents)
            #expect(resolution.outcome == found("m/arm_1/materials/x.png", .gazeboModel, .certain), "\(resolution)")
        }
        let unknown = resolve("model://me/materials/y.png", files, contents: contents)
        #expect(unknown.imageFindings().map(\.code) == [.resourceModelUnknown])
    }

    @Test func aNamedPackageOrModelComesBeforeAnyGuess() throws {
        // The same name lies in a folder of textures beside the document, and in the folder that is meant.
        let files = ["src/x1/package.xml", "src/x1/tex/x.png", "meshes/textures/x.png", "meshes/x.png"]
        let inside = resolve("package://arm/tex/x.png", files, contents: ["src/x1/package.xml": Self.package])
        #expect(inside.outcome == found("src/x1/tex/x.png", .rosPackage, .certain))
        let models = ["m/arm_1/model.config", "m/arm_1/tex/x.png", "meshes/textures/x.png", "meshes/x.png"]
        let model = resolve("model://arm_1/tex/x.png", models, contents: ["m/arm_1/model.config": Self.model])
        #expect(model.outcome == found("m/arm_1/tex/x.png", .gazeboModel, .certain))
        let option = try folder("tex/x.png")
        for (scheme, purpose) in [("package", HostRoot.Purpose.package("leg")), ("model", .model("leg"))] {
            let root = HostRoot(purpose, folder: option.path)
            let outside = resolve("\(scheme)://leg/tex/x.png", ["meshes/textures/x.png"], [root])
            #expect(outside.hostFile?.root == root, "\(outside)")
            // What is not in the folder is guessed, and the folder is told.
            let guessed = resolve("\(scheme)://leg/other/x.png", ["meshes/textures/x.png"], [root])
            #expect(guessed.outcome == found("meshes/textures/x.png", .siblingFolder, .likely))
            #expect(guessed.trace.first?.folder == option.path)
        }
        // A folder of the package's name is more than a folder of textures.
        let named = resolve("package://arm/tex/x.png", ["arm/tex/x.png", "textures/x.png"], from: "arm/m/a.dae")
        #expect(named.path == "arm/tex/x.png")
    }

    @Test func withoutAManifestFoldersOfTheNameAreTried() {
        let around = resolve("package://arm/tex/x.png", ["w/arm/tex/x.png", "w/leg/tex/x.png"], from: "w/arm/m/a.dae")
        #expect(around.outcome == found("w/arm/tex/x.png", .rosPackage, .likely))
        let beside = resolve("package://leg/tex/x.png", ["w/arm/tex/x.png", "w/leg/tex/x.png"], from: "w/arm/m/a.dae")
        #expect(beside.path == "w/leg/tex/x.png")
        let top = resolve("package://arm/tex/x.png", ["tex/x.png", "other/x.png"])
        #expect(top.outcome == found("tex/x.png", .rosPackage, .likely))
        let known = resolve("package://arm/tex/y.png", ["arm/tex/x.png"])
        #expect(known.imageFindings().map(\.code) == [.imageNotFound])
    }

    @Test func anAddressThatClimbsOutOfItsFolderIsBlocked() {
        let files = ["p/package.xml", "secret.png"]
        let contents = ["p/package.xml": Self.package]
        let resolution = resolve("package://arm/../../../hidden.png", files, contents: contents)
        #expect(resolution.outcome == .blocked(.leavesBundle))
        #expect(resolve("package://../x.png", files).status == .missing)
        #expect(resolve("package:///x.png", files).status == .missing)
        #expect(resolve("package://arm", files, contents: contents).status == .missing)
    }

    // MARK: On this machine

    private func folder(_ files: String...) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for file in files { try folder.write("bytes of \(file)", to: file) }
        return folder
    }

    @Test func anOptionComesBeforeTheBundleAndTheEnvironmentBehindIt() throws {
        let option = try folder("tex/x.png")
        let ros = try folder("src/repo/arm/package.xml", "src/repo/arm/tex/x.png", "leg/tex/x.png")
        let ament = try folder("share/arm/tex/x.png", "share/arm/tex/z.png", "arm/tex/w.png")
        let roots = [
            HostRoot(.package("arm"), folder: option.path), HostRoot(.packagePath, folder: ros.path),
            HostRoot(.amentPrefix, folder: ament.path),
        ]
        let files = ["p/package.xml", "p/tex/x.png"]
        let contents = ["p/package.xml": Self.package]
        func hit(_ reference: String, _ files: [String], _ roots: [HostRoot]) -> Resolution {
            resolve(reference, files, contents: contents, roots)
        }
        let first = hit("package://arm/tex/x.png", files, roots)
        #expect(first.hostFile?.root == roots[0])
        #expect(first.outcome == .outside(try #require(first.hostFile), rule: .rosPackage, confidence: .certain))
        #expect(first.path == "package arm: tex/x.png")
        #expect(first.imageFindings().map(\.code) == [.resourceOutside])
        #expect(first.imageFindings().map(\.severity) == [.info])
        #expect(hit("package://arm/tex/x.png", files, Array(roots[1...])).path == "p/tex/x.png")
        #expect(
            hit("package://arm/tex/x.png", [], Array(roots[1...])).path == "ROS_PACKAGE_PATH: src/repo/arm/tex/x.png")
        #expect(hit("package://leg/tex/x.png", [], roots).path == "ROS_PACKAGE_PATH: leg/tex/x.png")
        #expect(hit("package://arm/tex/z.png", [], roots).path == "AMENT_PREFIX_PATH: share/arm/tex/z.png")
        #expect(hit("package://arm/tex/w.png", [], roots).imageFindings().map(\.code) == [.imageNotFound])
        #expect(hit("package://head/tex/w.png", [], roots).imageFindings().map(\.code) == [.resourcePackageUnknown])
        #expect(hit("model://arm/tex/x.png", [], roots).hostFile == nil)
        #expect(resolve("package://arm/tex/x.png", []).outcome == .missing)
    }

    @Test func modelsOfThisMachineAreFoundByOptionAndVariable() throws {
        let own = try folder("materials/x.png")
        let all = try folder("arm/materials/x.png")
        let roots = [HostRoot(.modelPath, folder: all.path), HostRoot(.model("leg"), folder: own.path)]
        #expect(resolve("model://arm/materials/x.png", [], roots).path == "GZ_SIM_RESOURCE_PATH: arm/materials/x.png")
        #expect(resolve("model://leg/materials/x.png", [], roots).path == "model leg: materials/x.png")
        #expect(resolve("model://leg/materials/y.png", [], roots).imageFindings().map(\.code) == [.imageNotFound])
        #expect(resolve("package://arm/materials/x.png", [], roots).hostFile == nil)
    }

    @Test func whatIsFoundOutsideCanBeReadAndNothingThroughLinks() throws {
        let secret = try folder("x.png")
        let option = try folder("tex/x.png", "real/y.png")
        try FileSystem.link(option.path + "/tex/link.png", to: secret.path + "/x.png")
        try FileSystem.link(option.path + "/out", to: secret.path)
        try FileSystem.link(option.path + "/inside", to: "real")
        try FileSystem.pipe(option.path + "/tex/pipe.png")
        let locator = ResourceLocator(
            container: ResourceList([]), policy: .hostPaths([HostRoot(.package("arm"), folder: option.path)]))
        let found = locator.resolve("package://arm/tex/x.png", from: "a.dae")
        let source = try #require(try locator.source(of: found))
        #expect(try source.bytes(at: 0, count: 99) == Array("bytes of tex/x.png".utf8))
        for path in ["tex/link.png", "out/x.png", "inside/y.png", "tex/pipe.png", "tex", "../x.png", "tex/../../x.png"]
        {
            let resolution = locator.resolve("package://arm/\(path)", from: "a.dae")
            #expect(resolution.hostFile == nil, "\(resolution)")
            #expect(try locator.source(of: resolution) == nil)
        }
    }

    @Test func theEnvironmentIsReadAsItsToolsReadIt() {
        let roots = HostRoot.roots(environment: [
            "ROS_PACKAGE_PATH": "/ws/src:/opt/ros/share:relative::/ws/src", "AMENT_PREFIX_PATH": "/opt/ros/rolling",
            "GZ_SIM_RESOURCE_PATH": "/models", "PATH": "/bin", "HOME": "/h",
        ])
        #expect(
            roots == [
                HostRoot(.packagePath, folder: "/ws/src"), HostRoot(.packagePath, folder: "/opt/ros/share"),
                HostRoot(.packagePath, folder: "/ws/src"), HostRoot(.amentPrefix, folder: "/opt/ros/rolling"),
                HostRoot(.modelPath, folder: "/models"),
            ])
        #expect(HostRoot.roots(environment: [:]).isEmpty)
    }

    // MARK: Fuel

    @Test func anAddressOfFuelIsFoundInItsCache() throws {
        let cache = try folder(
            "fuel.gazebosim.org/acme/models/big arm/2/materials/x.png",
            "fuel.gazebosim.org/acme/models/big arm/10/materials/x.png",
            "fuel.gazebosim.org/acme/models/big arm/old/materials/x.png")
        let roots = [HostRoot(.fuelCache, folder: cache.path)]
        let address = "https://fuel.gazebosim.org/1.0/Acme/models/Big%20Arm"
        for (tail, version) in [
            ("/2/files/materials/x.png", "2"), ("/tip/files/materials/x.png", "10"), ("/files/materials/x.png", "10"),
        ] {
            let resolution = resolve(address + tail, [], roots)
            #expect(
                resolution.path == "Fuel cache: fuel.gazebosim.org/acme/models/big arm/\(version)/materials/x.png",
                "\(resolution)")
            #expect(resolution.rule == .fuelCache)
        }
        for tail in ["/3/files/materials/x.png", "/2/files/materials/y.png", "/2/files/../../x.png", "/2", ""] {
            #expect(resolve(address + tail, [], roots).outcome == .remote(url: address + tail))
        }
        let elsewhere = "https://example.org/1.0/Acme/models/Big%20Arm/2/files/materials/x.png"
        #expect(resolve(elsewhere, [], roots).outcome == .remote(url: elsewhere))
        #expect(resolve(address + "/2/files/materials/x.png", []).status == .remote)
    }

    @Test func anAddressOfFuelIsFoundInTheModelItself() {
        let address = "https://fuel.gazebosim.org/1.0/Acme/models/Arm%20model/2/files/materials/x.png"
        let files = ["m/model.config", "m/materials/x.png"]
        let resolution = resolve(address, files, contents: ["m/model.config": Self.model])
        #expect(resolution.outcome == found("m/materials/x.png", .fuelCache, .likely))
        #expect(resolve(address, files).outcome == .remote(url: address))
    }
}
