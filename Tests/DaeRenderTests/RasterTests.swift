import DaeRender
import TestSupport
import Testing

/// Which samples faces cover.
@Suite struct RasterTests {
    private static let half = """
        <constant><emission><color>1 1 1 1</color></emission><transparent opaque="A_ONE"><color>1 1 1 0.5</color>
        </transparent></constant>
        """

    /// A net of triangles whose inner corners are a little anywhere, and none is turned over, on more than the picture.
    private static func net(_ side: Int, seed: UInt64) -> TestScene.Part {
        var numbers = SeededNumbers(seed: seed)
        var part = TestScene.Part(positions: [])
        for y in 0...side {
            for x in 0...side {
                let isInner = x > 0 && y > 0 && x < side && y < side
                let reach = isInner ? 0.15 : 0
                func place(_ index: Int) -> Double {
                    (Double(index) + Double.random(in: -reach...reach, using: &numbers)) / Double(side) * 2.4 - 1.2
                }
                part.positions += [place(x), place(y), Double.random(in: -1...1, using: &numbers)]
            }
        }
        for y in 0..<side {
            for x in 0..<side {
                let corner = y * (side + 1) + x
                part.triangles += [corner, corner + 1, corner + side + 2, corner, corner + side + 2, corner + side + 1]
            }
        }
        part.effect = half
        return part
    }

    @Test(arguments: [1, 4, 16], [3, 17, 60]) func eachSampleOfANetIsCoveredOnce(samples: Int, side: Int) async throws {
        let scene = TestScene(parts: [Self.net(side, seed: UInt64(side))])
        let picture = try await scene.picture(size: 70) { $0.samples = samples }
        // A gap would be black, what is covered twice three quarters bright.
        #expect(picture.made.pixels.chunked(4).allSatisfy { $0 == [128, 128, 128, 255] })
        #expect(picture.made.findings.isEmpty)
    }

    @Test func theSameOnOneThreadAndSeveral() async throws {
        var scene = TestScene(parts: [Self.net(40, seed: 5), Self.net(9, seed: 6), .rectangle(-0.7...0.3, -0.5...0.9)])
        scene.parts[1].effect = "<constant><emission><color>0.2 0.9 0.4 1</color></emission></constant>"
        let one = try await scene.picture(size: 200) { ($0.threads, $0.samples) = (1, 4) }
        for threads in [2, 3, 8] {
            let other = try await scene.picture(size: 200) { ($0.threads, $0.samples) = (threads, 4) }
            #expect(other.made.pixels == one.made.pixels)
        }
    }

    /// 16 pixels are 2 units: one is an eighth.
    @Test func anEdgeThroughTheMiddlesOfPixelsTakesThoseOnTheLeftAndTop() async throws {
        let scene = TestScene(parts: [.rectangle(-0.6875...0.3125, -0.3125...0.6875)])
        let picture = try await scene.picture()
        // From the middle of the third pixel to that of the eleventh.
        let expected = (0..<16).map { UInt8((2..<10).contains($0) ? 255 : 0) }
        #expect(picture.row(5) == expected)
        #expect(picture.column(5) == expected)
    }

    @Test func aPixelIsAsBrightAsItIsCovered() async throws {
        let scene = TestScene(parts: [.rectangle(-1...0.0625, -1...1)])
        let four = try await scene.picture { $0.samples = 4 }
        #expect(four.row(3)[7...9] == [255, 128, 0])
        let sixteen = try await scene.picture { $0.samples = 16 }
        #expect(sixteen.row(3)[7...9] == [255, 128, 0])
    }

    @Test func theNearerIsSeenAndOfTwoInOnePlaceTheLater() async throws {
        func colored(_ color: String, _ z: Double) -> TestScene.Part {
            .rectangle(
                -1...1, -1...1, z: z, effect: "<constant><emission><color>\(color) 1</color></emission></constant>")
        }
        let near = try await TestScene(parts: [colored("1 0 0", 1), colored("0 1 0", 0)]).picture()
        #expect(near.pixel(4, 4) == [255, 0, 0, 255])
        let later = try await TestScene(parts: [colored("1 0 0", 0), colored("0 1 0", 0)]).picture()
        #expect(later.pixel(4, 4) == [0, 255, 0, 255])
    }

    @Test func bothSidesAreSeen() async throws {
        var part = TestScene.Part.rectangle(-1...1, -1...1)
        part.triangles = [0, 2, 1, 0, 3, 2]
        #expect(try await TestScene(parts: [part]).picture().pixel(8, 8) == [255, 255, 255, 255])
    }

    @Test func whatReachesBehindTheViewerIsCutThere() async throws {
        var scene = TestScene(parts: [
            // A floor from before the viewer to far behind.
            TestScene.Part(
                positions: [-50, -1, -50, 50, -1, -50, 50, -1, 50, -50, -1, 50], triangles: [0, 1, 2, 0, 2, 3])
        ])
        scene.optics = "<perspective><yfov>90</yfov><znear>0.1</znear><zfar>1000</zfar></perspective>"
        scene.cameraPlace = ""
        let picture = try await scene.picture()
        #expect(picture.column(8) == (0..<16).map { $0 < 8 ? 0 : 255 })
    }

    @Test func aLineIsAPixelWide() async throws {
        let part = TestScene.Part(positions: [-1, 0.0625, 0, 1, 0.0625, 0], lines: [0, 1])
        let picture = try await TestScene(parts: [part]).picture()
        #expect(picture.column(8) == (0..<16).map { $0 == 7 ? 255 : 0 })
        #expect(picture.row(7).allSatisfy { $0 == 255 })
    }
}

extension [UInt8] {
    func chunked(_ count: Int) -> [[UInt8]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min(self.count, $0 + count)]) }
    }
}
