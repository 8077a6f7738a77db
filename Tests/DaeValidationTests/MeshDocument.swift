import DaeCollada
import DaeDiagnostics
import DaeValidation

/// A document of one mesh, as a test writes it, read with the rules over numbers.
struct MeshDocument {
    var positions: [Double]
    var primitives: String
    var sources = ""
    var vertices = ""

    static func triangles(_ positions: [Double], _ indices: [Int]) -> MeshDocument {
        MeshDocument(
            positions: positions,
            primitives: """
                <triangles count="\(indices.count / 3)"><input semantic="VERTEX" source="#v" offset="0"/>\
                <p>\(indices.map(String.init).joined(separator: " "))</p></triangles>
                """)
    }

    static func polygon(_ positions: [Double], _ indices: [Int]) -> MeshDocument {
        MeshDocument(
            positions: positions,
            primitives: """
                <polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/>\
                <vcount>\(indices.count)</vcount><p>\(indices.map(String.init).joined(separator: " "))</p></polylist>
                """)
    }

    static func source(_ id: String, _ numbers: [Double]) -> String {
        """
        <source id="\(id)"><float_array id="\(id)-array" count="\(numbers.count)">\
        \(numbers.map { "\($0)" }.joined(separator: " "))</float_array><technique_common>\
        <accessor source="#\(id)-array" count="\(numbers.count / 3)" stride="3"><param name="X" type="float"/>\
        <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
        """
    }

    var text: String {
        """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><library_geometries>\
        <geometry id="g"><mesh>\(Self.source("p", positions))\(sources)<vertices id="v">\
        <input semantic="POSITION" source="#p"/>\(vertices)</vertices>\(primitives)</mesh></geometry>\
        </library_geometries></COLLADA>
        """
    }

    func reading(_ retention: ColladaOptions.Retention = .figures, examined: Bool = true) throws
        -> ColladaParser.Reading
    {
        var options = ColladaOptions()
        options.retention = retention
        if examined { options.examiner = { DeepExaminer() } }
        return try ColladaParser.read(Array(text.utf8), options: options)
    }

    func messages(_ code: FindingCode) throws -> [String] {
        try reading().log.findings.filter { $0.code == code }.map(\.message)
    }
}
