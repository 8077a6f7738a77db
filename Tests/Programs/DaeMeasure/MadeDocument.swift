// Documents of any size, so that what a load keeps can be measured without a file. Ids are long enough to have memory of
// their own, as most exporters write them.

/// The kinds differ in what they are made of most.
enum MadeDocument: String, CaseIterable {
    /// A few large arrays.
    case mesh
    /// Meshes whose polygons are each an element.
    case polygons
    /// Small nodes, each with a mesh and a material of its own.
    case scene
    /// Curves of sixty keys.
    case animation

    /// About so many bytes of it.
    func bytes(_ size: Int) -> [UInt8] {
        var text = Text()
        text.add("<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>")
        switch self {
        case .mesh: text.addMeshes(size / 2, each: 2) { $0.addTriangles(size / 24, of: $1) }
        case .polygons: text.addMeshes(size / 4, each: 2) { $0.addPolygons(size / 48, of: $1) }
        case .scene: text.addScene(size)
        case .animation: text.addAnimations(size)
        }
        text.add("</COLLADA>")
        return text.bytes
    }

    /// About so many bytes of a mesh that is a grid, as surfaces of models are: neighbours have neighbouring vertices.
    static func grid(_ size: Int) -> [UInt8] {
        var text = Text()
        text.add("<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>")
        text.addGrid(side: max(2, Int((Double(size) / 105).squareRoot())))
        text.add("</COLLADA>")
        return text.bytes
    }
}

private struct Text {
    private(set) var bytes: [UInt8] = []
    private var state: UInt32 = 1

    mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func number() -> UInt32 {
        state = state &* 1_664_525 &+ 1_013_904_223
        return state >> 8
    }

    private mutating func reals(_ count: Int) {
        for _ in 0..<count { add("\(number() % 100).\(100_000 + number() % 900_000) ") }
    }

    private mutating func indices(_ count: Int, below limit: Int) {
        for _ in 0..<count { add("\(Int(number()) % limit) ") }
    }

    private mutating func source(
        _ id: String, _ params: [String], _ count: Int, _ write: (inout Text, Int) -> Void = { $0.reals($1) }
    ) {
        add("<source id=\"\(id)\"><float_array id=\"\(id)-array\" count=\"\(count * params.count)\">")
        write(&self, count * params.count)
        add(
            "</float_array><technique_common><accessor source='#\(id)-array' count='\(count)' stride='\(params.count)'>"
        )
        for param in params { add("<param name='\(param)' type='float'/>") }
        add("</accessor></technique_common></source>")
    }

    // MARK: - Meshes

    mutating func addMeshes(_ size: Int, each count: Int, _ primitives: (inout Text, String) -> Void) {
        add("<library_geometries>")
        for mesh in 0..<count { geometry("large-geometry-\(mesh)", size / 60 / count, primitives) }
        add("</library_geometries>")
    }

    private mutating func geometry(_ id: String, _ points: Int, _ primitives: (inout Text, String) -> Void) {
        add("<geometry id=\"\(id)\" name='\(id)'><mesh>")
        source("\(id)-positions", ["X", "Y", "Z"], points)
        source("\(id)-normals", ["X", "Y", "Z"], points)
        add("<vertices id=\"\(id)-vertices\"><input semantic='POSITION' source='#\(id)-positions'/>")
        add("<input semantic='NORMAL' source='#\(id)-normals'/></vertices>")
        primitives(&self, id)
        add("</mesh></geometry>")
    }

    mutating func addTriangles(_ corners: Int, of id: String) {
        add("<triangles material='painted-material-symbol' count='\(corners / 3)'>")
        add("<input semantic='VERTEX' source='#\(id)-vertices' offset='0'/><p>")
        indices(corners / 3 * 3, below: 8)
        add("</p></triangles>")
    }

    mutating func addPolygons(_ count: Int, of id: String) {
        add("<polygons material='painted-material-symbol' count='\(count)'>")
        add("<input semantic='VERTEX' source='#\(id)-vertices' offset='0'/>")
        for _ in 0..<count {
            add("<p>")
            indices(4, below: 8)
            add("</p>")
        }
        add("</polygons>")
    }

    mutating func addGrid(side: Int) {
        add("<library_geometries>")
        geometry("large-grid", side * side) { text, id in
            let cells = (side - 1) * (side - 1)
            text.add(
                "<triangles count='\(2 * cells)'><input semantic='VERTEX' source='#\(id)-vertices' offset='0'/><p>")
            for cell in 0..<cells {
                let first = cell / (side - 1) * side + cell % (side - 1)
                let (second, third, fourth) = (first + 1, first + side, first + side + 1)
                text.add("\(first) \(second) \(fourth) \(first) \(fourth) \(third) ")
            }
            text.add("</p></triangles>")
        }
        add("</library_geometries><library_visual_scenes><visual_scene id='the-visual-scene'>")
        add("<node id='placed-node'><instance_geometry url='#large-grid'/></node></visual_scene>")
        add("</library_visual_scenes><scene><instance_visual_scene url='#the-visual-scene'/></scene>")
    }

    // MARK: - Scenes

    mutating func addScene(_ size: Int) {
        let count = size / 2300
        add("<library_effects>")
        for place in 0..<count {
            add("<effect id=\"painted-effect-number-\(place)\"><profile_COMMON><technique sid='t'><lambert><diffuse>")
            add("<color>0.\(place) 0.5 0.25 1</color></diffuse></lambert></technique></profile_COMMON></effect>")
        }
        add("</library_effects><library_materials>")
        for place in 0..<count {
            add("<material id=\"painted-material-number-\(place)\" name='painted-material-number-\(place)'>")
            add("<instance_effect url='#painted-effect-number-\(place)'/></material>")
        }
        add("</library_materials><library_geometries>")
        for place in 0..<count { geometry("small-geometry-\(place)", 8) { $0.addTriangles(36, of: $1) } }
        add("</library_geometries><library_visual_scenes><visual_scene id=\"the-visual-scene\">")
        for place in 0..<count {
            add("<node id=\"placed-node-number-\(place)\" name='placed-node-number-\(place)'><translate>")
            reals(3)
            add("</translate><instance_geometry url='#small-geometry-\(place)'><bind_material><technique_common>")
            add("<instance_material symbol='painted-material-symbol' target='#painted-material-number-\(place)'/>")
            add("</technique_common></bind_material></instance_geometry></node>")
        }
        add("</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#the-visual-scene'/></scene>")
    }

    // MARK: - Animations

    mutating func addAnimations(_ size: Int) {
        let count = size / 5100
        add("<library_animations>")
        for place in 0..<count {
            let id = "moving-animation-\(place)"
            add("<animation id=\"\(id)\">")
            source("\(id)-times", ["TIME"], 60) { text, count in
                for key in 0..<count { text.add("\(key / 24).\(100_000 + key % 24 * 30_000) ") }
            }
            source("\(id)-values", ["X", "Y", "Z"], 60)
            add("<source id=\"\(id)-names\"><Name_array count='60'>")
            for _ in 0..<60 { add("LINEAR ") }
            add("</Name_array></source><sampler id=\"\(id)-sampler\"><input semantic='INPUT' source='#\(id)-times'/>")
            add("<input semantic='OUTPUT' source='#\(id)-values'/>")
            add("<input semantic='INTERPOLATION' source='#\(id)-names'/></sampler>")
            add("<channel source='#\(id)-sampler' target='moving-node-number-\(place)/place'/></animation>")
        }
        add("</library_animations><library_visual_scenes><visual_scene id=\"the-visual-scene\">")
        for place in 0..<count {
            add("<node id=\"moving-node-number-\(place)\"><translate sid='place'>1 2 3</translate></node>")
        }
        add("</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#the-visual-scene'/></scene>")
    }
}
