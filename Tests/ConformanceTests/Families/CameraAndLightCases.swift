import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct CameraAndLightCases {
    @Test(arguments: cameraAndLightFamily.joined()) func projectionsAndColours(_ row: ConformanceCase) throws {
        try row.run()
    }
}

private let cameras = "collada/library_cameras/camera"
private let lights = "collada/library_lights"
/// Where every case has its main camera, in metres.
private let front = [0, 0, 4.0]

let cameraAndLightFamily: ConformanceFamily = [
    // MARK: Cameras
    only(
        "\(cameras)/optics/perspective/optics_perspective_xfov",
        "only xfov is given: 50°; with no aspect ratio yfov is the same"
    ) {
        let camera = try $0.camera("mainCamera")
        #expect(camera.projection == .perspective(xfov: 50, yfov: nil) && camera.aspectRatio == nil)
        #expect(camera.near == 1 && camera.far == 5000)
        expect($0.cameras.first?.numbers, [50, 50, 0.01, 50])
        expect($0.cameras.first?.position.list, front)
        expect($0.cameras.first?.direction.list, [0, 0, -1])
    },
    only("\(cameras)/_reference/_reference_perspective_no_geometry", "only yfov: half a degree") {
        try #expect($0.camera("mainCamera").projection == .perspective(xfov: nil, yfov: 0.5))
        expect($0.cameras.first?.numbers, [0.5, 0.5, 0.01, 50])
    },
    only(
        "\(cameras)/optics/orthographic/optics_orthographic_xmag",
        "orthographic with xmag 50: half a metre to each side"
    ) {
        try #expect($0.camera("mainCamera").projection == .orthographic(xmag: 50, ymag: nil))
        expect($0.cameras.first?.numbers, [0.5, 0.5, 0.001, 50])
        #expect($0.flat().triangles.count == 12)
    },
    only("\(cameras)/_reference/_reference_orthographic_no_geometry", "the same camera and nothing to see") {
        expect($0.cameras.first?.numbers, [0.5, 0.5, 0.001, 50])
        #expect($0.flat().triangles.isEmpty)
    },
    only("\(cameras)/id/id_dash", "an id with dashes is found by its instance") {
        try #expect($0.camera("this-is-a-id-test").projection == .perspective(xfov: nil, yfov: 36.9999))
        expect($0.cameras.first?.position.list, [0, 0, 8])
    },

    // MARK: Lights
    only("\(lights)/_reference/_reference_ambient_white", "white light from everywhere") {
        $0.expectLights([("ambient", [1, 1, 1])])
        #expect($0.lights.first?.position == nil && $0.lights.first?.direction == nil)
    },
    only("\(lights)/ambient/ambient_half_green_light", "half green light from everywhere") {
        $0.expectLights([("ambient", [0, 0.5, 0])])
    },
    both("\(lights)/_reference/_reference_directional_white", "white light along the node's −z, turned by 15° about y")
    {
        $0.expectLights([("directional", [1, 1, 1])])
        expect($0.lights.first?.direction?.list, [-0.258819, 0, -0.965926])
    },
    only("\(lights)/directional/directional_half_blue_light", "a second, half blue light straight along −z") {
        $0.expectLights([("directional", [1, 1, 1]), ("directional", [0, 0, 0.5])])
        expect($0.lights.last?.direction?.list, [0, 0, -1])
    },
    both("\(lights)/id/id_dash", "an id with dashes is found by its instance") {
        try #expect($0.light("this-is-an-id-test").kind == .directional)
        $0.expectLights([("directional", [0, 0, 1])])
    },
    both("\(lights)/_reference/_reference_point_attenuation_default", "a point light that does not fade") {
        $0.expectLights([("point", [1, 1, 1])])
        expect($0.lights.first?.numbers, [1, 0, 0])
        expect($0.lights.first?.position?.list, [-0.298965, -0.0322004, 0.313826])
    },
    both("\(lights)/point/point_linear_attenuation_light", "a blue light that fades by 1 + 100 d, d in centimetres") {
        $0.expectLights([("point", [0, 0, 1])])
        try #expect($0.light("pointLightShape1-lib").source?.attenuation == .init(constant: 1, linear: 100))
        // By the metre it is 100 times as much.
        expect($0.lights.first?.numbers, [1, 10000, 0])
    },
    both("\(lights)/spot/spot_red_light", "a red cone of 40° beside a white light from afar") {
        $0.expectLights([("directional", [1, 1, 1]), ("spot", [1, 0, 0])])
        try #expect($0.light("spotLightShape1-lib").source?.falloff == .init(angle: 40, exponent: 0))
        expect($0.lights.last?.position?.list, [-0.758239, 0.240087, 0.620445])
        // Turned by −9.43113° about y, before that by −18.9945° about x; the node's scale does not bend it.
        expect($0.lights.last?.direction?.list, [0.154940, -0.325478, -0.932769])
    },
    only("\(lights)/_reference/_reference_no_lights", "no light at all") { $0.expectLights([]) },
    both("\(lights)/light/ambient_one_extra_preservation", "extras of applications that nobody knows") {
        $0.expectLights([("ambient", [0.8, 0.8, 0.5])])
        #expect($0.findings.allSatisfy { $0.severity < .warning })
    },
    only(
        "1_5/\(lights)/_reference/_reference_light_extra_element_names", "a white light and a square beside the middle"
    ) {
        $0.expectLights([("directional", [1, 1, 1])])
        $0.expectDrawn(triangles: 2, box: [-1.1, -0.5, 0.5, -0.1, 0.5, 0.5])
    },
]

extension ConformanceReading {
    fileprivate func expectLights(
        _ expected: [(kind: String, color: [Double])], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(lights.map(\.kind) == expected.map(\.kind), sourceLocation: sourceLocation)
        expect(lights.flatMap(\.color.list), expected.flatMap(\.color), sourceLocation: sourceLocation)
    }
}
