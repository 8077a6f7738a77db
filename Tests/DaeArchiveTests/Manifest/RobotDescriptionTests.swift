import DaeArchive
import DaeDiagnostics
import TestSupport
import Testing

/// Descriptions of robots, as people write them and as nobody should.
@Suite struct RobotDescriptionTests {
    private func meshes(_ text: String, _ format: RobotDescription.Format = .urdf) throws -> [RobotDescription.Mesh] {
        try RobotDescription(Array(text.utf8), as: format).meshes
    }

    private func failure(_ bytes: [UInt8], _ format: RobotDescription.Format = .urdf) -> CodedFailure? {
        do throws(CodedFailure) { _ = try RobotDescription(bytes, as: format) } catch { return error }
        return nil
    }

    @Test func aNameSaysHowADescriptionIsWritten() {
        let names: [(String, RobotDescription.Format?)] = [
            ("a.urdf", .urdf), ("A.URDF", .urdf), ("a.sdf", .sdf), ("a.urdf.xacro", .xacro), ("a.xacro", .xacro),
            ("a.world", nil), ("urdf", nil), ("a.", nil), ("", nil),
        ]
        for (name, format) in names { #expect(RobotDescription.Format(named: name) == format, "\(name)") }
    }

    @Test func meshesOfURDFAreRead() throws {
        let meshes = try meshes(
            """
            <?xml version="1.0"?>
            <robot name="arm" xmlns:x="urn:other">
              <link name="base"><visual><geometry>
                <mesh filename=" package://arm/meshes/base.dae " scale="0.001 1e-3  -2"/>
              </geometry></visual>
              <collision><geometry><mesh filename="base.stl" x:scale="9 9 9"/></geometry></collision></link>
              <mesh/><geometry><mesh filename=""/></geometry>
            </robot>
            """)
        #expect(meshes.map(\.uri) == ["package://arm/meshes/base.dae", "base.stl"])
        #expect(meshes.map(\.use) == [.visual, .collision])
        #expect(meshes.map(\.line) == [4, 6] && meshes[0].column == 5)
        #expect(meshes[0].scale == .factors([0.001, 0.001, -2]) && meshes[1].scale == .factors([1, 1, 1]))
    }

    @Test func meshesOfSDFAreReadAndNothingThatIsIncluded() throws {
        let meshes = try meshes(
            """
            <sdf version="1.9"><world name="w"><include><uri>model://table</uri></include><model name="m"><link name="l">
            <visual name="v"><geometry><mesh><uri> model://m/a.dae
            </uri><scale>2 3 4</scale><submesh><name>x</name><uri>no.dae</uri></submesh></mesh></geometry>
            <material><script><uri>file://a.material</uri></script></material></visual>
            </link></model></world></sdf>
            """, .sdf)
        #expect(meshes.map(\.uri) == ["model://m/a.dae"] && meshes[0].scale == .factors([2, 3, 4]))
        #expect(meshes[0].use == .visual && meshes[0].line == 2)
    }

    @Test func namesOfXacroAreLiteralOrNot() throws {
        let meshes = try meshes(
            """
            <robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="leg" params="side"><link name="${side}">
            <mesh filename="package://a/${side}.dae"/><mesh filename="$(find a)/b.dae"/>
            <mesh filename="package://a/c.dae" scale="1 ${mirror} 1"/></link></xacro:macro></robot>
            """, .xacro)
        #expect(meshes.map(\.isLiteral) == [false, false, true])
        #expect(meshes[2].scale == .notLiteral("1 ${mirror} 1"))
    }

    @Test(arguments: ["", "1", "1 1", "1 1 1 1", "1 1 0", "1 1 nan", "1 inf 1", "1e999 1 1", "1,1,1", "a b c"])
    func aScaleThatIsNotThreeNumbersIsToldAsWritten(text: String) throws {
        let mesh = try #require(try meshes("<robot><mesh filename=\"a.dae\" scale=\"\(text)\"/></robot>").first)
        #expect(mesh.scale == .invalid(text))
    }

    @Test func whatIsNoDescriptionIsRefusedWithItsPlace() throws {
        let page = try #require(failure(Array("<html/>".utf8)))
        #expect(page.code == .robotDescriptionUnreadable && page.place.line == 1)
        #expect(page.message == "the root is <html>; expected <robot>")
        #expect(failure(Array("<robot/>".utf8), .sdf)?.message.hasSuffix("expected <sdf>") == true)
        let cut = try #require(failure(Array("<robot>\n<link>".utf8)))
        #expect(cut.code == .robotDescriptionUnreadable && cut.place.line == 2)
        for text in ["", " ", "robot", "<robot", "<robot></link>", "<robot>\0</robot>", "<robot a='\0'/>"] {
            #expect(failure(Array(text.utf8))?.code == .robotDescriptionUnreadable, "\(text.debugDescription)")
        }
        let odd = Array("<robot><mesh filename='".utf8) + [0xFF, 0xFE] + Array("'/></robot>".utf8)
        #expect(try RobotDescription(odd, as: .urdf).meshes.count == 1)
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><robot><mesh filename='".utf8) + [0xE9]
        let read = try RobotDescription(latin + Array(".dae'/></robot>".utf8), as: .urdf)
        #expect(read.meshes.map(\.uri) == ["é.dae"])
    }

    @Test func whatIsVeryMuchIsCut() throws {
        let mesh = "<mesh filename='a.dae'/>"
        let many = try RobotDescription(
            Array("<robot>\(String(repeating: mesh, count: 1_000_000))</robot>".utf8), as: .urdf)
        #expect(many.meshes.count == RobotDescription.mostMeshes && many.isCut)
        let nested = String(repeating: "<link>", count: 4_000) + mesh + String(repeating: "</link>", count: 4_000)
        #expect(try meshes("<robot>\(nested)</robot>").count == 1)
        #expect(failure(Array(String(repeating: "<robot>", count: 100_000).utf8)) != nil)
        let within = String(repeating: "<mesh>", count: 1000) + String(repeating: "</mesh>", count: 1000)
        #expect(try meshes("<robot>\(within)</robot>").isEmpty)
        let long = String(repeating: "x", count: 1 << 19)
        let text = try #require(try meshes("<sdf><mesh><uri>\(long)</uri></mesh></sdf>", .sdf).first)
        #expect(text.uri.utf8.count == 64 << 10)
    }

    /// Bytes cut anywhere, and bytes changed anywhere, give meshes or a failure.
    @Test func noBytesTrap() {
        let whole = Array(
            "<robot><mesh filename='package://a/b.dae' scale='1 2 3'/><mesh><uri>c</uri></mesh></robot>".utf8)
        for end in whole.indices {
            _ = failure(Array(whole[..<end]))
            for byte: UInt8 in [0, 0x3C, 0x80, 0xFF] {
                var changed = whole
                changed[end] = byte
                _ = failure(changed, .xacro)
            }
        }
    }
}
