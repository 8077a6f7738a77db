import DaeArchive
import DaeCore
import DaeDiagnostics
import DaeResources
import TestSupport
import Testing

/// A robot's package on this machine: what its descriptions name, and which scales they give.
@Suite struct DescribedRobotTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
        for file in ["arm/meshes/base.dae", "arm/meshes/Hand.dae", "arm/meshes/base.stl", "hand/meshes/finger.dae"] {
            try place.write("bytes of \(file)", to: file)
        }
        try place.write("<package><name>arm</name></package>", to: "arm/package.xml")
        try place.write("<package><name>hand</name></package>", to: "hand/package.xml")
    }

    private func robot(
        _ meshes: [String], named name: String = "arm.urdf", _ policy: LocatorPolicy = .hostPaths([])
    ) throws -> DescribedRobot {
        let path = try place.write("<robot>\n\(meshes.joined(separator: "\n"))\n</robot>", to: "arm/urdf/\(name)")
        let format = try #require(RobotDescription.Format(named: name))
        return try DescribedRobot(reading: path, as: format, policy, root: nil)
    }

    private func mesh(_ name: String, _ scale: String? = nil) -> String {
        "<mesh filename=\"\(name)\"\(scale.map { " scale=\"\($0)\"" } ?? "")/>"
    }

    private func codes(_ robot: DescribedRobot) -> [FindingCode] { robot.findings.findings.map(\.code) }

    private var real: String { (try? RealPath.of(place.path + "/arm")) ?? "" }

    @Test(arguments: ["package://arm/meshes/base.dae", "../meshes/base.dae", "model://arm/meshes/base.dae"])
    func aMeshIsFoundByItsName(name: String) throws {
        let robot = try robot([mesh(name)])
        let path = place.path + "/arm/meshes/base.dae"
        #expect(
            robot.meshes.map(\.target) == [
                .found(path: path, real: real + "/meshes/base.dae", shown: "../meshes/base.dae")
            ])
        #expect(robot.findings.findings.isEmpty && robot.root == real)
    }

    @Test func aWholePathIsFollowedUnlessNothingOutsideMayBe() throws {
        for name in ["file://\(place.path)/hand/meshes/finger.dae", "\(place.path)/hand/meshes/finger.dae"] {
            let robot = try robot([mesh(name)])
            #expect(robot.meshes.map(\.target.path) == [place.path + "/hand/meshes/finger.dae"])
            #expect(codes(try self.robot([mesh(name)], .bundleOnly)) == [.robotMeshNotFound])
        }
        #expect(codes(try robot([mesh("file:///nowhere/a.dae"), mesh("/")])).count == 2)
    }

    @Test func packagesBesideAreSeenUnlessNothingOutsideMayBe() throws {
        let name = mesh("package://hand/meshes/finger.dae")
        let robot = try robot([name])
        let path = place.path + "/hand/meshes/finger.dae"
        #expect(robot.meshes.map(\.target.path) == [path])
        #expect(codes(try self.robot([name], .bundleOnly)) == [.robotMeshNotFound])
    }

    @Test func absentMeshesAreToldWithTheirPlaces() throws {
        let robot = try robot([
            mesh("package://arm/meshes/gone.dae"), mesh("package://arm/meshes/hand.dae"),
            mesh("package://nobody/meshes/a.dae"), mesh("package://arm/meshes"), mesh("package://arm/meshes/gone.dae"),
        ])
        let findings = robot.findings.findings
        #expect(codes(robot) == [FindingCode](repeating: .robotMeshNotFound, count: 5))
        #expect(findings.map(\.place.line) == [2, 3, 4, 5, 6] && findings[0].place.entry == "arm.urdf")
        #expect(findings[0].message == "the mesh \"package://arm/meshes/gone.dae\" was not found")
        #expect(
            findings[1].message.hasSuffix("was not found; there is \"../meshes/Hand.dae\""), "\(findings[1].message)")
        #expect(findings[2].message.hasSuffix("was not found; no package is called \"nobody\""))
    }

    @Test func whatIsNotLiteralOrOnTheWebIsNotLookedFor() throws {
        let robot = try robot(
            [mesh("package://arm/${x}.dae"), mesh("https://example.org/a.dae"), mesh("../meshes/base.dae", "1 2")],
            named: "arm.urdf.xacro")
        #expect(robot.meshes[0].target == .notLiteral)
        #expect(robot.meshes[1].target == .remote(url: "https://example.org/a.dae"))
        #expect(codes(robot) == [.robotNameNotLiteral, .robotScaleInvalid])
    }

    @Test func aPackageIsTheNearestFolderThatIsMarked() throws {
        try place.write("x", to: "arm/a/b/c/d/e/f/g/h.urdf")
        #expect(DescribedRobot.package(of: place.path + "/arm/meshes/base.dae") == real)
        #expect(DescribedRobot.package(of: place.path + "/arm/a/b/c/d/e/f/g/h.urdf") == nil)
        try place.write("<robot/>", to: "arm/urdf/a.urdf")
        try place.write("<robot/>", to: "arm/urdf/b.xacro")
        #expect(DescribedRobot.paths(in: real) == [real + "/urdf/a.urdf", real + "/urdf/b.xacro"])
    }

    // MARK: - Scales

    private func scale(_ robots: DescribedRobot...) throws -> Result<RobotScales.Given?, CodedFailure> {
        var scales = RobotScales()
        for robot in robots { scales.add(robot) }
        do throws(CodedFailure) { return .success(try scales.scale(of: real + "/meshes/base.dae")) } catch {
            return .failure(error)
        }
    }

    @Test func oneScaleIsGivenHoweverOften() throws {
        let base = "package://arm/meshes/base.dae"
        let one = try robot([mesh(base, "0.001 0.001 0.001"), mesh("../meshes/base.dae", "1e-3 1e-3 1e-3")])
        let given = try #require(try scale(one).get())
        #expect(given.factors == [0.001, 0.001, 0.001] && given.place.line == 2)
        #expect(try scale(robot([mesh("package://arm/meshes/base.stl", "2 2 2")])).get() == nil)
        // What xacro makes of it is in the other.
        let template = try robot([mesh(base, "${s} 1 1")], named: "t.xacro")
        #expect(try scale(template, one).get() == given)
    }

    @Test func severalScalesAreRefusedWithBothPlaces() throws {
        let base = "package://arm/meshes/base.dae"
        let one = try robot([mesh(base)])
        let other = try robot(["", mesh(base, "1 -1 1")], named: "left.urdf")
        guard case .failure(let failure) = try scale(one, other) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.code == .robotScaleAmbiguous)
        #expect(failure.message.contains("1 1 1 (\(place.path)/arm/urdf/arm.urdf:2) and 1 -1 1 ("))
        #expect(failure.message.contains("left.urdf:3)"))
    }

    @Test(arguments: [("1 1", "arm.urdf"), ("1 1 0", "arm.urdf"), ("${s} 1 1", "arm.xacro")])
    func aScaleThatIsNotKnownIsRefused(text: String, name: String) throws {
        guard case .failure(let failure) = try scale(robot([mesh("../meshes/base.dae", text)], named: name)) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.code == .robotScaleInvalid && failure.message.contains("\(name):2"))
    }
}

extension DescribedRobot.Target {
    fileprivate var path: String? { if case .found(let path, _, _) = self { path } else { nil } }
}
