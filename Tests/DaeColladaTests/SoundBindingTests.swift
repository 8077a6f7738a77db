import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// What is sound is passed over at a glance; what is not is told each time, whatever was met before.
@Suite struct SoundBindingTests {
    private static let sound = "<instance_material symbol='s' target='#m'/>"
    private static let unknown = "<instance_material symbol='t' target='#m'/>"

    private func outcome(primitives: Int = 1, _ bindings: [String]) -> Outcome {
        let triangles = "<triangles count='1' material='s'>\(Mesh.input)<p>0 1 2</p></triangles>"
        var document = Document()
        document.body =
            Mesh.geometry(String(repeating: triangles, count: primitives))
            + "<library_materials><material id='m'/><material id='n'/></library_materials>"
        document.node = bindings.map {
            "<instance_geometry url='#g'><bind_material><technique_common>\($0)</technique_common></bind_material></instance_geometry>"
        }.joined()
        return Outcome(document.text, options: ColladaOptions())
    }

    private func count(_ code: FindingCode, in outcome: Outcome) -> Int {
        outcome.findings.count { $0.code == code }
    }

    @Test func faultsAreToldOfEveryInstance() {
        let outcome = outcome([Self.sound, Self.unknown, Self.sound, Self.unknown, Self.sound, ""])
        #expect(count(.materialSymbolUnused, in: outcome) == 2)
        #expect(count(.materialSymbolUnbound, in: outcome) == 2)
        #expect(count(.materialBindMissing, in: outcome) == 1)
    }

    @Test(arguments: [1, 8, 9, 40])
    func meshesOfManyPrimitivesAreSoundToo(primitives: Int) {
        #expect(count(.materialSymbolUnused, in: outcome(primitives: primitives, [Self.sound, Self.sound])) == 0)
        let faulty = outcome(primitives: primitives, [Self.sound, Self.sound + Self.unknown])
        #expect(count(.materialSymbolUnused, in: faulty) == 1)
        #expect(count(.materialSymbolUnbound, in: faulty) == 0)
    }

    /// Nodes by themselves that bind one material in one manner to meshes of their own, the second of which asks for another.
    @Test func aMeshIsLookedAtThoughItsMaterialWasBoundAlikeBefore() {
        var document = Document()
        let geometries = ["s", "u", "s"].enumerated().map { place, symbol in
            Mesh.geometry("<triangles count='1' material='\(symbol)'>\(Mesh.input)<p>0 1 2</p></triangles>")
                .replacing("id='g'", with: "id='g\(place)'")
        }
        document.body = geometries.joined() + "<library_materials><material id='m'/></library_materials>"
        document.node = [0, 1, 2, 1, 0].map { place in
            "<node><instance_geometry url='#g\(place)'><bind_material><technique_common>\(Self.sound)</technique_common></bind_material></instance_geometry></node>"
        }.joined()
        let outcome = Outcome(document.text, options: ColladaOptions())
        #expect(count(.materialSymbolUnused, in: outcome) == 2)
        #expect(count(.materialSymbolUnbound, in: outcome) == 2)
        let drawn = outcome.scene.nodes.compactMap { node -> Int? in
            guard case .geometry(let geometry, let materials)? = node.instances.first else { return nil }
            return Set(materials.map { $0.material?.value }) == [0] ? geometry.value : nil
        }
        #expect(drawn == [0, 1, 2, 1, 0])
    }

    @Test func listsThatBeginAlikeAreKeptApart() {
        let second = "<instance_material symbol='s' target='#n'/>"
        let outcome = outcome([Self.sound, Self.sound + second, Self.sound, second, Self.sound + second])
        let lists = (outcome.scene.nodes.first?.instances ?? []).map { instance -> [Int?] in
            guard case .geometry(_, let materials) = instance else { return [] }
            return materials.map { $0.material?.value }
        }
        #expect(lists == [[0], [0, 1], [0], [1], [0, 1]])
    }

    @Test func aSymbolThatDiffersMakesAnotherList() {
        let outcome = outcome([Self.sound, Self.unknown])
        let symbols = (outcome.scene.nodes.first?.instances ?? []).map { instance -> [String] in
            guard case .geometry(_, let materials) = instance else { return [] }
            return materials.map(\.symbol)
        }
        // The material of the only symbol that is bound is taken for the only one that is asked for.
        #expect(symbols == [["s"], ["t", "s"]])
    }
}
