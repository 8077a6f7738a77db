import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML
import Testing

/// Profiles other than the common one: structure, images, and the element itself.
@Suite struct ProfileTests {
    private static let glsl = """
        <profile_GLSL id='gl' platform='PC'><asset/><image id='own'><init_from>own.png</init_from></image>
        <newparam sid='world'><semantic>WORLD</semantic><float4x4>1 0 0 0</float4x4></newparam>
        <newparam sid='map'><sampler2D><source>x</source></sampler2D></newparam>
        <code sid='vs'>void main() { a &lt; b; }</code><include sid='fs' url='shaders/f.glsl'/>
        <technique id='tid' sid='fast'><image id='deep'><init_from>deep.png</init_from></image><newparam sid='inner'><bool>true</bool></newparam>
        <pass sid='p0'><blend_enable value='true'/><shader stage='VERTEXPROGRAM'><name source='vs'>main</name></shader>
        <shader stage='FRAGMENTPROGRAM'/></pass><pass/></technique><technique sid='slow'/>
        <extra><technique profile='X'><y/></technique></extra></profile_GLSL>
        """

    private func outcome(_ profile: String, retention: ColladaOptions.Retention = .everything) -> Outcome {
        EffectDocument.outcome(
            profile + EffectDocument.profile("<diffuse><color>1 0 0 1</color></diffuse>"), retention: retention)
    }

    @Test func aShaderProfileIsReadAsStructure() throws {
        let outcome = outcome(Self.glsl)
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let profile = try #require(outcome.document.effects.first?.profiles.first)
        #expect(profile.kind == .glsl && profile.id == "gl" && profile.platform == "PC")
        #expect(profile.parameters.map(\.sid) == ["world", "map"])
        #expect(profile.parameters.map(\.kind) == ["float4x4", "sampler2D"])
        #expect(profile.parameters.map(\.semantic) == ["WORLD", nil])
        #expect(
            profile.code == [
                .inline(sid: "vs", text: "void main() { a < b; }"), .include(sid: "fs", url: "shaders/f.glsl"),
            ])
        #expect(profile.techniques.map(\.sid) == ["fast", "slow"])
        #expect(profile.techniques.first?.id == "tid")
        #expect(profile.techniques.first?.parameters.map(\.kind) == ["bool"])
        #expect(profile.techniques.first?.passes.map(\.sid) == ["p0", nil])
        #expect(profile.techniques.first?.passes.map(\.stages) == [["VERTEXPROGRAM", "FRAGMENTPROGRAM"], []])
        #expect(profile.images == ["own", "deep"])
        #expect(profile.element?.children.last?.name == "extra")
        #expect(profile.position.line == 3)
        #expect(outcome.document.images.map(\.id) == ["i0", "i1", "i2", "own", "deep"])
        // What a profile says does not reach the common one.
        #expect(outcome.document.effects.first?.parameters.isEmpty == true)
        #expect(outcome.document.effects.first?.extras.isEmpty == true)
        #expect(outcome.scene.materials.first?[.diffuse]?.color == SIMD4(1, 0, 0, 1))
        #expect(outcome.scene.materials.first?.extras == [])
    }

    @Test func theProgramsOf15AreReadToo() throws {
        let outcome = outcome(
            "<profile_GLES2 language='GLSL' platform='P'><technique sid='t'><pass sid='p'><program><shader stage='VERTEX'><sources/></shader>"
                + "<shader stage='FRAGMENT'/></program></pass></technique></profile_GLES2><profile_BRIDGE platform='B' url='fx.xml'/>"
                + "<profile_GLES><technique sid='g'><pass/></technique></profile_GLES><profile_CG/>")
        let profiles = try #require(outcome.document.effects.first?.profiles)
        #expect(profiles.map(\.kind) == [.gles2, .bridge, .gles, .cg])
        #expect(profiles.first?.techniques.first?.passes.map(\.stages) == [["VERTEX", "FRAGMENT"]])
        #expect(profiles[1].url == "fx.xml" && profiles[1].platform == "B")
        #expect(profiles[2].techniques.map(\.passes.count) == [1])
    }

    @Test func figuresKeepTheKindAndTheImages() throws {
        let outcome = outcome(Self.glsl, retention: .figures)
        let profile = try #require(outcome.document.effects.first?.profiles.first)
        #expect(profile.kind == .glsl && profile.id == "gl" && profile.element == nil)
        #expect(profile.parameters.isEmpty && profile.techniques.isEmpty && profile.code.isEmpty)
        #expect(outcome.document.images.map(\.id) == ["i0", "i1", "i2", "own", "deep"])
    }

    /// Deep, many, and in places where no profile belongs.
    @Test func oddProfilesDoNoHarm() {
        let deep = String(repeating: "<pass>", count: 200) + String(repeating: "</pass>", count: 200)
        #expect(outcome("<profile_CG>\(deep)</profile_CG>").scene.materials.count == 1)
        let many = String(repeating: "<profile_CG><code>x</code></profile_CG>", count: 20_000)
        let outcome = outcome(many)
        #expect(outcome.document.effects.first?.profiles.count == 20_000)
        #expect(outcome.document.effects.first?.profiles.last?.code == [.inline(sid: nil, text: "x")])
        let nested = self.outcome("<profile_CG><profile_GLSL><image id='in'/></profile_GLSL></profile_CG>")
        #expect(nested.document.effects.first?.profiles.map(\.kind) == [.cg])
        #expect(Document().with("<profile_GLSL/>").failure == nil)
    }
}
