import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct NestedAssetCases {
    @Test(arguments: nestedAssetFamily.joined()) func assetsOfElements(_ row: ConformanceCase) throws { try row.run() }
}

private let animation = "collada/library_animations/animation/asset"
private let geometry = "collada/library_geometries/geometry/asset"
private let visualScene = "collada/library_visual_scenes/visual_scene"
private let model = "1_5/collada/library_kinematics_model/kinematics_model/asset"
private let kinematics = "1_5/collada/library_kinematics_scene/kinematics_scene/asset"
/// The pyramid of the visual scenes' cases, and that of the geometries'.
private let pyramid = [0, -0.95, -1.5, 1, 1.3, -0.5]
private let inches = [-1.27, -1.905, -1.27, 1.27, 3.81, 1.27]
private let cube = [-0.215, 0, -0.015, -0.185, 0.03, 0.015]

let nestedAssetFamily: ConformanceFamily = [
    // MARK: Units and axes of a part
    only(
        "\(geometry)/up_axis", "a mesh with z up in a document with y up: it is turned, and that is told",
        finds: [.assetNestedUnit]
    ) {
        try $0.expectAsset(of: "geometry", created: "2008-09-06T01:05:50Z")
        #expect($0.scene.upAxis == .y)
        $0.expectDrawn(triangles: 6, box: inches)
    },
    only("\(geometry)/_reference/_reference_up_axis", "the same mesh with y up") {
        $0.expectDrawn(triangles: 6, box: inches)
    },
    only(
        "1_5/\(geometry)/coverage/geographic_location/absolute",
        "a mesh in metres in a document of inches, shrunk to size by its node", finds: [.assetNestedUnit]
    ) {
        try $0.expectPlaceOnEarth("geometry")
        $0.expectDrawn(triangles: 6, box: inches)
    },
    both("\(visualScene)/asset/up_axis", "a visual scene with z up in a document that does not say") {
        try $0.expectAsset(of: "visual_scene", created: "2010-01-15T01:05:50Z")
        #expect($0.scene.upAxis == .z)
        $0.expectDrawn(triangles: 6, box: pyramid)
    },
    both("\(visualScene)/asset/_reference/_reference_asset_unitandup", "the same scene with y up") {
        #expect($0.document.nestedAssets.isEmpty)
        $0.expectDrawn(triangles: 6, box: pyramid)
    },
    only("\(model)/unit", "a gripper in metres in a document of millimetres", finds: misspelt.union([.assetNestedUnit]))
    {
        try $0.expectAsset(of: "kinematics_model", created: "2008-09-06T01:05:50Z")
        #expect($0.document.nestedAssets.first?.asset.unit?.meter == 1 && $0.scene.metersPerUnit == 0.001)
    },
    only("\(kinematics)/unit", "a scene of grippers in metres", finds: misspelt.union([.assetNestedUnit])) {
        try $0.expectAsset(of: "kinematics_scene", created: "2008-09-06T01:05:50Z")
        #expect($0.document.nestedAssets.first?.asset.unit?.name == "meter")
    },
    only(
        "collada_other/library_cameras/camera/asset/unit/unit_blessed.dae",
        "a box of four materials before a camera from the side"
    ) {
        #expect($0.scene.metersPerUnit == 1 && $0.flat().triangles.count == 392)
        expect($0.cameras.first?.position.list, [12, 2, -2])
        expect($0.cameras.first?.direction.list, [-1, 0, 0])
    },

    // MARK: Who, when and where
    only("\(animation)/contributor/one_contributor", "who made an animation") {
        try $0.expectContributor(of: "animation")
        expect($0.box(), cube)
    },
    both("\(animation)/created/created", "when an animation was made") {
        try $0.expectAsset(of: "animation", created: "2007-05-07T19:42:16Z")
        expect($0.box(), cube)
    },
    only("\(animation)/modified/modified", "when an animation was changed") {
        try $0.expectAsset(of: "animation", modified: "2007-05-07T19:42:16Z")
    },
    only("\(animation)/revision", "which revision an animation is") {
        #expect($0.document.nestedAssets.first?.asset.revision == "Revision information goes here")
    },
    only(
        "1_5/\(animation)/coverage/geographic_location/absolute",
        "where on Earth an animation is; it rises from −5 to 5"
    ) {
        try $0.expectPlaceOnEarth("animation")
        expect(try $0.place("pCube1", at: 0.5), [0, 0, 370])
        expect(try $0.place("pCube1", at: 1), [0, 5, 370])
    },
    only("\(geometry)/contributor/one_contributor", "who made a mesh") { try $0.expectContributor(of: "geometry") },
    only("\(geometry)/created/created", "when a mesh was made") {
        try $0.expectAsset(of: "geometry", created: "2007-05-07T19:42:16Z")
    },
    only("\(geometry)/modified/modified", "when a mesh was changed") {
        try $0.expectAsset(of: "geometry", modified: "2007-05-07T19:42:16Z")
    },
    only("\(visualScene)/asset/contributor/one_contributor", "who made a visual scene") {
        try $0.expectContributor(of: "visual_scene")
        $0.expectDrawn(triangles: 6, box: pyramid)
    },
    only("1_5/\(visualScene)/asset/contributor/ip_address", "a contributor with numbers for mail and web") {
        try $0.expectContributor(of: "visual_scene")
        try $0.expectNumericAddresses()
    },
    only("\(visualScene)/asset/created/created", "when a visual scene was made") {
        try $0.expectAsset(of: "visual_scene", created: "2007-05-07T19:42:16Z")
    },
    both("\(visualScene)/asset/modified/modified", "when a visual scene was changed") {
        try $0.expectAsset(of: "visual_scene", modified: "2007-05-07T19:42:16Z")
        $0.expectDrawn(triangles: 6, box: pyramid)
    },
    only("1_5/\(visualScene)/asset/coverage/geographic_location/absolute", "where on Earth a visual scene is") {
        try $0.expectPlaceOnEarth("visual_scene")
    },
    both("\(visualScene)/node/asset/modified/modified", "when a node was changed") {
        try $0.expectAsset(of: "node", modified: "2007-05-07T19:42:16Z")
        $0.expectDrawn(triangles: 6, box: pyramid)
    },
    only("\(model)/contributor/ip_addresss", "who made a gripper", finds: misspelt) {
        try $0.expectContributor(of: "kinematics_model")
        try $0.expectNumericAddresses()
    },
    only(
        "\(model)/coverage/geographic_location/absolute", "where on Earth a gripper is",
        finds: misspelt.union([.assetNestedUnit])
    ) {
        try $0.expectPlaceOnEarth("kinematics_model")
    },
    only("\(model)/created/created", "when a gripper was made", finds: misspelt) {
        try $0.expectAsset(of: "kinematics_model", created: "2007-05-07T19:42:16Z")
    },
    only("\(model)/modified/modified", "when a gripper was changed", finds: misspelt) {
        try $0.expectAsset(of: "kinematics_model", modified: "2011-05-16T23:09:47Z")
    },
    only("\(kinematics)/contributor/ip_addresss", "who made a scene of grippers", finds: misspelt) {
        try $0.expectContributor(of: "kinematics_scene")
        try $0.expectNumericAddresses()
    },
    only(
        "\(kinematics)/coverage/geographic_location/absolute", "where on Earth a scene of grippers is",
        finds: misspelt.union([.assetNestedUnit])
    ) {
        try $0.expectPlaceOnEarth("kinematics_scene")
    },
    only("\(kinematics)/created/created", "when a scene of grippers was made", finds: misspelt) {
        try $0.expectAsset(of: "kinematics_scene", created: "2007-05-07T19:42:16Z")
    },
    only("\(kinematics)/modified/modified", "when a scene of grippers was changed", finds: misspelt) {
        try $0.expectAsset(of: "kinematics_scene", modified: "2011-05-16T23:09:47Z")
    },

    // MARK: Extras of a part
    both("\(visualScene)/extra/simpleExtra", "what FCollada says of a visual scene costs nothing") {
        $0.expectDrawn(triangles: 12, box: [-1, -1, -1, 1, 1, 1])
    },
    both("\(visualScene)/node/extra/simpleExtra", "what FCollada says of a node costs nothing") {
        $0.expectDrawn(triangles: 12, box: [-1, -1, -1, 1, 1, 1])
        expect($0.lights.flatMap(\.color.list), [1, 1, 1])
    },
]

/// These documents write `KIN_GREIFER/j1` for a joint of the model `KIN-GREIFER`.
private let misspelt: Set<FindingCode> = [.kinematicsJointUnresolved]

extension ConformanceReading {
    /// That the first element with an asset of its own is of a name, and what the asset says.
    @discardableResult
    fileprivate func expectAsset(
        of owner: String, created: String? = nil, modified: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ColladaDocument.Asset {
        let nested = try #require(document.nestedAssets.first, sourceLocation: sourceLocation)
        #expect(nested.owner == owner, sourceLocation: sourceLocation)
        if let created { #expect(nested.asset.created == created, sourceLocation: sourceLocation) }
        if let modified { #expect(nested.asset.modified == modified, sourceLocation: sourceLocation) }
        return nested.asset
    }

    fileprivate func expectContributor(
        of owner: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let asset = try expectAsset(of: owner, sourceLocation: sourceLocation)
        let contributor = try #require(asset.contributors.first, sourceLocation: sourceLocation)
        #expect(asset.contributors.count == 1, sourceLocation: sourceLocation)
        #expect(contributor.author == "Bugs Bunny", sourceLocation: sourceLocation)
        #expect(contributor.authoringTool == "HandWritten", sourceLocation: sourceLocation)
        #expect(contributor.sourceData == "Source data go here", sourceLocation: sourceLocation)
    }

    fileprivate func expectNumericAddresses(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let contributor = document.nestedAssets.first?.asset.contributors.first
        #expect(contributor?.authorEmail == "myemail@192.168.0.1", sourceLocation: sourceLocation)
        #expect(contributor?.authorWebsite == "http://192.168.0.100", sourceLocation: sourceLocation)
    }

    fileprivate func expectPlaceOnEarth(
        _ owner: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let asset = try expectAsset(of: owner, sourceLocation: sourceLocation)
        let location = try #require(asset.location, sourceLocation: sourceLocation)
        expect(
            [location.longitude, location.latitude, location.altitude], [-105.283, 40.017, 100],
            sourceLocation: sourceLocation)
        #expect(location.altitudeMode == .absolute, sourceLocation: sourceLocation)
    }
}
