import Glibc
import TestSupport
import Testing

/// What doc.kml says of models: which, where, how large, with which textures.
@Suite struct KMZFieldTests {
    private let trial: BundleTrial

    init() throws { trial = try BundleTrial() }

    private static func model(_ href: String, _ inside: String = "", location: String = "") -> String {
        """
        <Placemark><name>of \(href)</name><Model id="m">\(location)\(inside)<Link><href>\(href)</href></Link></Model></Placemark>
        """
    }

    private static func kml(_ inside: String, _ namespace: String = "http://www.opengis.net/kml/2.2") -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><kml xmlns=\"\(namespace)\"><Document>\(inside)</Document></kml>"
    }

    private static func location(_ longitude: Double, _ latitude: Double, _ altitude: Double = 0) -> String {
        """
        <altitudeMode>absolute</altitudeMode><Location><longitude>\(longitude)</longitude><latitude>\(latitude)</latitude>\
        <altitude>\(altitude)</altitude></Location>
        """
    }

    // MARK: - Several models

    @Test func allModelsOfADocumentAreOneScene() throws {
        let path = BundleTrial.field("A07-kmz-placement/two-models.kmz")
        #expect(try !trial.codes(path).contains("BUNDLE_UNUSED_FILE"))
        let model = try trial.converted(path, ["--lossless"])
        #expect(model.points.count == 6)
        #expect(model.size == [4, 4, 3])
        let inspected = try trial.json(["inspect", path])
        #expect(inspected["bundle"]?["scene"]?["models"] == ["models/a.dae", "models/b.dae"])
        #expect(inspected["linked"]?["documents"] == ["models/b.dae"])
        #expect(inspected["scene"]?["triangles"] == 2)
    }

    @Test func modelsOfOtherUnitsAndAxesStandWhereTheyShould() throws {
        // A degree of latitude is 110.57 km at the equator; 0.0001° are 11.06 m to the north, −z in glTF.
        let path = try trial.zip(
            "city.kmz",
            [
                (
                    "doc.kml",
                    Self.kml(
                        Self.model("a.dae", location: Self.location(1, 0))
                            + Self.model("b.dae", location: Self.location(1, 0.0001, 3))
                            + Self.model("b.dae", location: Self.location(1.0001, 0)))
                ),
                ("a.dae", modelDocument(up: "Z_UP", meter: "0.01")),
                ("b.dae", modelDocument(up: "Y_UP", version: "1.5.0")),
            ])
        let model = try trial.converted(path)
        #expect(model.points.count == 9)
        let north = model.points.min { $0.z < $1.z } ?? [0, 0, 0]
        #expect(abs(north.z + 11.057) < 0.01, "\(north)")
        let high = model.points.max { $0.y < $1.y } ?? [0, 0, 0]
        #expect(abs(high.y - 4) < 0.001, "\(high)")
        let east = model.points.max { $0.x < $1.x } ?? [0, 0, 0]
        #expect(abs(east.x - 12.132) < 0.01, "\(east)")
        #expect(try trial.codes(path).contains("REF_EXTERNAL_UNRESOLVED") == false)
    }

    /// What bends is posed for its size, in each of the models; this one's node moves what its joints have posed.
    @Test func theSizeIsOfAllModelsWhereSkinsAreDrawnToo() throws {
        let skin = String(decoding: try Repository.fixture("documents/skin.dae"), as: UTF8.self)
        func scene(_ models: String) throws -> JSONNode? {
            let path = try trial.zip("skins.kmz", [("doc.kml", Self.kml(models)), ("a.dae", skin), ("b.dae", skin)])
            return try trial.json(["inspect", path])["scene"]
        }
        func box(_ scene: JSONNode?, _ corner: String) -> [Double] {
            scene?["bounds"]?[corner]?.elements.compactMap(\.number) ?? []
        }
        func isNear(_ one: [Double], _ other: [Double]) -> Bool {
            one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < 0.01 }
        }
        // 0.001° of longitude are 111.32 m at the equator.
        let both = try scene(
            Self.model("a.dae", location: Self.location(1, 0)) + Self.model("b.dae", location: Self.location(1.001, 0)))
        #expect(isNear(box(both, "min"), [9.5, 1, 0]), "\(box(both, "min"))")
        #expect(isNear(box(both, "max"), [121.82, 2, 0]), "\(box(both, "max"))")
        #expect(both?["nodes"] == 6)
        let turned = try scene(
            Self.model(
                "a.dae",
                "<Orientation><heading>90</heading></Orientation><Scale><x>2</x><y>1</y><z>3</z></Scale>"))
        // East is south then, and south is z.
        #expect(isNear(box(turned, "min"), [0, 3, 19]), "\(box(turned, "min"))")
        #expect(isNear(box(turned, "max"), [0, 6, 21]), "\(box(turned, "max"))")
    }

    @Test func aModelThatCannotBeReadIsAnError() throws {
        let path = try trial.zip(
            "broken.kmz",
            [
                ("doc.kml", Self.kml(Self.model("a.dae") + Self.model("b.dae"))), ("a.dae", modelDocument()),
                ("b.dae", String(modelDocument().prefix(500))),
            ])
        let outcome = try Program.run(["validate", path])
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("b.dae is shown in the scene, and cannot be read"))
    }

    // MARK: - Scale and orientation

    @Test func theScaleOfAModelIsApplied() throws {
        let path = BundleTrial.field("A07-kmz-placement/scale.kmz")
        #expect(try trial.converted(path).size == [2, 2, 0])
        #expect(try trial.json(["inspect", path])["scene"]?["sizeInMeters"] == [2, 2, 0])
    }

    @Test(arguments: [
        // x east, y north, z up; clockwise from above, so that what points east then points south.
        ("<Orientation><heading>90</heading><tilt>0</tilt><roll>0</roll></Orientation>", [0.0, -1, 0], [1.0, 0, 0]),
        ("<Orientation><heading>0</heading><tilt>90</tilt><roll>0</roll></Orientation>", [1, 0, 0], [0, 0, -1]),
        ("<Orientation><heading>0</heading><tilt>0</tilt><roll>90</roll></Orientation>", [0, 0, 1], [0, 1, 0]),
        ("<Orientation><heading>90</heading><tilt>90</tilt><roll>0</roll></Orientation>", [0, -1, 0], [0, 0, -1]),
        ("<Scale><x>3</x><y>1</y><z>1</z></Scale>", [3, 0, 0], [0, 1, 0]),
    ])
    func orientationsTurnAModel(inside: String, first: [Double], second: [Double]) throws {
        for up in ["Z_UP", "Y_UP"] {
            let path = try trial.zip(
                "turned.kmz",
                [("doc.kml", Self.kml(Self.model("a.dae", inside))), ("a.dae", modelDocument(up: up))])
            let model = try trial.converted(path)
            // What points up in the one points north in the other, so that the second corner is that of one alone.
            for (index, expected) in [(1, first), (2, second)] where index == 1 || up == "Z_UP" {
                let point = model.points[index]
                // glTF has up where KML has north.
                let found = [point.x, -point.z, point.y]
                #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(inside) \(index): \(found)")
            }
        }
    }

    @Test func whatStaysAsItIsGetsNoNode() throws {
        let still =
            "<Orientation><heading>0</heading><tilt>0</tilt><roll>0</roll></Orientation><Scale><x>1</x><y>1</y><z>1</z></Scale>"
        let path = try trial.zip(
            "still.kmz",
            [
                ("doc.kml", Self.kml(Self.model("a.dae", still, location: Self.location(8, 47, 500)))),
                ("a.dae", modelDocument()),
            ])
        let inspected = try trial.json(["inspect", path])
        #expect(inspected["scene"]?["depth"] == 1)
        #expect(inspected["bundle"]?["scene"]?["models"] == [])
        #expect(try Program.run(["convert", "--lossless", path, "-o", trial.place.path + "/still.glb"]).code == 0)
    }

    // MARK: - Links

    @Test(arguments: [
        ("networklink", "sub/b.dae"), ("link-in-other-case", "models/b.dae"), ("link-of-a-machine", "models/b.dae"),
    ])
    func linksAreFollowedAsThoseOfImages(file: String, scene: String) throws {
        let path = BundleTrial.field("A07-kmz-placement/\(file).kmz")
        #expect(try trial.scene(path) == scene)
        #expect(try !trial.codes(path).contains("KMZ_MODEL_LINK_BROKEN"))
        #expect(try Program.run(["convert", path, "-o", trial.place.path + "/x.glb"]).code == 0)
    }

    @Test(arguments: [
        "Files\\B.dae", "files/B.dae?x=1", "FILES/b.dae", "C:\\Users\\me\\files\\B.dae", "/tmp/x/files/B.dae",
        "files/./B%2Edae",
        "../files/B.dae", "B.dae",
    ])
    func linksInOtherSpellingsLeadToTheModel(link: String) throws {
        let path = try trial.zip(
            "spelled.kmz",
            [
                ("doc.kml", Self.kml(Self.model(link), "http://earth.google.com/kml/2.1")), ("a.dae", modelDocument()),
                ("files/B.dae", modelDocument()),
            ])
        #expect(try trial.scene(path) == "files/B.dae", "\(link)")
        #expect(try !trial.codes(path).contains("KMZ_MODEL_LINK_BROKEN"), "\(link)")
    }

    @Test func aLinkThatLeadsNowhereStaysBroken() throws {
        let path = try trial.zip("x.kmz", [("doc.kml", Self.kml(Self.model("gone.dae"))), ("a.dae", modelDocument())])
        #expect(try trial.codes(path).contains("KMZ_MODEL_LINK_BROKEN"))
        let strict = try trial.zip("y.kmz", [("doc.kml", Self.kml(Self.model("A.DAE"))), ("a.dae", modelDocument())])
        #expect(try Program.run(["validate", "--strict", strict]).text.contains("KMZ_MODEL_LINK_BROKEN"))
    }

    @Test func networkLinksGoOnAndEnd() throws {
        func link(_ href: String, _ element: String = "Link") -> String {
            "<NetworkLink><\(element)><href>\(href)</href></\(element)></NetworkLink>"
        }
        let path = try trial.zip(
            "links.kmz",
            [
                ("doc.kml", Self.kml(link("a/one.kml") + link("https://example.org/city.kml") + link("gone.kml"))),
                ("a/one.kml", Self.kml(link("../doc.kml") + link("two.kml", "Url") + Self.model("m.dae"))),
                ("a/two.kml", Self.kml(Self.model("n.dae"))), ("a/m.dae", modelDocument()),
                ("a/n.dae", modelDocument(at: [0, 0, 9])),
            ])
        #expect(try trial.scene(path) == "a/m.dae")
        #expect(try trial.converted(path).size == [1, 1, 9])
        let codes = try trial.codes(path)
        #expect(codes.count { $0 == "KMZ_MODEL_LINK_BROKEN" } == 2)
        #expect(!codes.contains("BUNDLE_UNUSED_FILE"))
    }

    // MARK: - Textures

    @Test func theMapOfTheModelItselfComesFirst() throws {
        func map(_ pairs: [(String, String)]) -> String {
            "<ResourceMap>"
                + pairs.map { "<Alias><targetHref>\($0.1)</targetHref><sourceHref>\($0.0)</sourceHref></Alias>" }
                .joined()
                + "</ResourceMap>"
        }
        let path = try trial.zip(
            "maps.kmz",
            [
                (
                    Array("doc.kml".utf8),
                    Array(
                        Self.kml(
                            Self.model("geometry/house.dae", map([("../images/stone.png", "../textures/stone.png")]))
                                + Self.model(
                                    "geometry/wall.dae", map([("../images/stone.png", "../textures/wood.png")]))
                        ).utf8)
                ),
                (Array("geometry/house.dae".utf8), Array(modelDocument(image: "../images/stone.png").utf8)),
                (
                    Array("geometry/wall.dae".utf8),
                    Array(modelDocument(image: "../images/stone.png", at: [3, 0, 0]).utf8)
                ),
                (Array("textures/stone.png".utf8), pixel(red: 1)), (Array("textures/wood.png".utf8), pixel(red: 2)),
            ])
        #expect(try trial.resolved(path) == ["textures/stone.png", "textures/wood.png"])
        #expect(try trial.resolved(path + "!/geometry/wall.dae") == ["textures/wood.png"])
        let codes = try trial.codes(path)
        #expect(!codes.contains("IMAGE_FOUND_BY_FALLBACK") && !codes.contains("IMAGE_NOT_FOUND"))
        #expect(try trial.converted(path).images == [pixel(red: 1), pixel(red: 2)])
        #expect(try trial.converted(path + "!/geometry/wall.dae").images == [pixel(red: 2)])
    }

    @Test func aMapComesBeforeAFileThatIsThereAsWritten() throws {
        let map =
            "<ResourceMap><Alias><targetHref>b.png</targetHref><sourceHref>a.png</sourceHref></Alias></ResourceMap>"
        let path = try trial.zip(
            "swap.kmz",
            [
                (Array("doc.kml".utf8), Array(Self.kml(Self.model("m.dae", map)).utf8)),
                (Array("m.dae".utf8), Array(modelDocument(image: "a.png").utf8)),
                (Array("a.png".utf8), pixel(red: 1)), (Array("b.png".utf8), pixel(red: 2)),
            ])
        let row = try trial.json(["inspect", path])["images"]?.elements.first
        #expect(row?["path"] == "b.png" && row?["rule"] == "textureAlias" && row?["confidence"] == "certain")
    }
}
