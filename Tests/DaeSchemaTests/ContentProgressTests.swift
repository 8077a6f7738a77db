import Testing

@testable import DaeSchema

@Suite struct ContentProgressTests {
    /// What becomes of the children of one element, as `name: verdict`, and what is missing at the end.
    private func verdicts(
        _ parent: String, _ children: [String], _ version: SchemaVersion = .collada14, lenient: Bool = false
    ) throws -> (faults: [String], missing: [[String]]) {
        let models = ContentModels.models(for: version)
        let type = try #require(models.types.firstIndex { $0.name == parent })
        var progress = ContentProgress(ElementType.ID(index: type))
        var faults: [String] = []
        func expected() -> String { models.expected(progress, lenient: lenient).joined(separator: " ") }
        for child in children {
            switch models.take(models.name(child), into: &progress, lenient: lenient) {
            case .expected: break
            case .free(let declaration): faults.append("\(child) free as \(models[declaration.type].name)")
            case .early: faults.append("\(child) early")
            case .late: faults.append("\(child) late, \(expected())")
            case .repeated: faults.append("\(child) repeated, \(expected())")
            case .unknown: faults.append("\(child) unknown, \(expected())")
            }
        }
        return (faults, models.missing(progress).map(\.alternatives))
    }

    @Test(arguments: [
        ("mesh", "source source vertices triangles lines triangles extra"), ("mesh", "source vertices"),
        ("convex_mesh", ""), ("skin", "source source source joints vertex_weights"),
        ("skin", "bind_shape_matrix source source source source joints vertex_weights extra extra"),
        ("skin/joints", "input input input"), ("animation", "source sampler channel channel animation"),
        ("animation", "animation animation"),
        ("camera/optics/technique_common/perspective", "xfov aspect_ratio znear zfar"),
        ("camera/optics/technique_common/perspective", "yfov znear zfar"), ("extra", "technique technique"),
        ("asset", "contributor created keywords modified unit up_axis"), ("asset", "created modified"),
        ("COLLADA", "asset library_images library_effects library_images scene"),
    ])
    func whatTheModelHasIsExpectedAndComplete(parent: String, children: String) throws {
        let (faults, missing) = try verdicts(parent, children.split(separator: " ").map(String.init))
        #expect(faults == [] && missing == [])
    }

    @Test func aChildThatTheParentNeverHasIsUnknownAndWhatMayComeIsTold() throws {
        let (faults, missing) = try verdicts("mesh", ["source", "bogus", "node", "vertices"])
        #expect(faults == ["bogus unknown, source vertices", "node unknown, source vertices"])
        #expect(missing == [])
    }

    @Test func whatWasPassedOverIsMissingOnceAndTheRestIsRead() throws {
        let (faults, missing) = try verdicts("mesh", ["source", "triangles", "triangles"])
        #expect(faults == ["triangles early"])
        #expect(missing == [["vertices"]])
    }

    @Test func whatComesLateIsNoLongerMissing() throws {
        let (faults, missing) = try verdicts("mesh", ["vertices", "source", "triangles"])
        #expect(
            faults == [
                "vertices early", "source late, extra lines linestrips polygons polylist triangles trifans tristrips",
            ])
        #expect(missing == [])
    }

    @Test func aSecondOfWhatMayStandOnceIsRepeated() throws {
        let (faults, missing) = try verdicts("asset", ["created", "modified", "created", "title", "title"])
        #expect(faults[0].hasPrefix("created repeated, revision"))
        #expect(faults[1] == "title repeated, unit up_axis")
        #expect(missing == [])
    }

    @Test func anOrderThatIsNotTheSchemasIsLate() throws {
        let (faults, _) = try verdicts("node", ["instance_geometry", "matrix", "node", "instance_light"])
        #expect(faults.count == 2 && faults[0].hasPrefix("matrix late, extra instance_geometry"))
        #expect(faults[1] == "instance_light late, extra node")
    }

    @Test func aChoiceThatIsNotMadeIsMissingAsAChoice() throws {
        #expect(try verdicts("geometry", ["asset"]).missing == [["convex_mesh", "mesh", "spline"]])
        #expect(try verdicts("geometry", [], .collada15).missing == [["brep", "convex_mesh", "mesh", "spline"]])
        #expect(try verdicts("skin", ["source", "source"]).missing == [["source"], ["joints"], ["vertex_weights"]])
        #expect(try verdicts("skin/joints", ["input"]).missing == [["input"]])
    }

    @Test func twoOfAChoiceAreOneTooMany() throws {
        #expect(try verdicts("geometry", ["mesh", "spline"]).faults == ["spline late, extra"])
        #expect(try verdicts("geometry", ["mesh", "mesh"]).faults == ["mesh repeated, extra"])
    }

    @Test func textHasNoElementsAndATechniqueHasAny() throws {
        #expect(try verdicts("float_array", ["source"]).faults == ["source unknown, "])
        #expect(
            try verdicts("technique", ["source", "bogus"]).faults == ["source free as source", "bogus free as anyType"])
    }

    @Test func whatTheSchemaLostIsThereForTheLenient() throws {
        #expect(try verdicts("instance_camera", ["extra"], .collada15).faults == ["extra unknown, "])
        #expect(try verdicts("instance_camera", ["extra"], .collada15, lenient: true).faults == [])
        #expect(try verdicts("fx_sampler2D", ["instance_image", "wrap_s"], .collada15, lenient: true).faults == [])
        #expect(
            try verdicts("fx_sampler2D", ["bogus"], .collada15, lenient: true).faults.first?.hasPrefix(
                "bogus unknown, border_color") == true)
    }

    @Test func withinATechniqueOnlyNamedElementsOfTheSchemaAreLookedInto() throws {
        let models = ContentModels.models(for: .collada14)
        let later = ContentModels.models(for: .collada15)
        #expect(models.name("mesh").flatMap(models.global) != nil)
        #expect(models.name("wrap_s").flatMap(models.global) == nil)
        #expect(later.name("mesh").flatMap(later.global) == nil)
    }

    /// What a child costs depends on the progress alone: where a child leaves that as it was, all that follow cost the
    /// same.
    @Test(arguments: ["triangles", "source", "bogus", "created"])
    func aChildCostsTheSameHoweverManyCameBefore(child: String) throws {
        let models = ContentModels.models(for: .collada14)
        let parent = child == "created" ? "asset" : "mesh"
        let type = ElementType.ID(index: try #require(models.types.firstIndex { $0.name == parent }))
        let name = models.name(child)
        func progress(after count: Int) -> ContentProgress {
            var progress = ContentProgress(type)
            for _ in 0..<count { _ = models.take(name, into: &progress, lenient: true) }
            return progress
        }
        let (few, more) = (progress(after: 2), progress(after: 3))
        #expect(few.state == more.state)
        #expect(few.seen == more.seen)
        #expect(few.owed == more.owed)
    }
}
