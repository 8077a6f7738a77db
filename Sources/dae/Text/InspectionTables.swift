import DaeCore
import Daedalus

/// What `--full` adds to the screen: a table for each kind of thing that there are many of.
struct InspectionTables {
    private let inspection: Inspection
    private let style: Style
    private static let nameLimit = 40

    init(_ inspection: Inspection, style: Style) {
        self.inspection = inspection
        self.style = style
    }

    /// Empty where there is nothing to list.
    var text: String {
        let tables = [
            ("geometries", geometries), ("materials", materials), ("images", images), ("controllers", controllers),
            ("animations", animations), ("clips", clips),
        ]
        let texts = tables.filter { !$0.1.isEmpty }.map { title, table in
            "\n" + style(.bold, title) + "\n" + table.lines(style).map { "  \($0)\n" }.joined()
        }
        return texts.joined()
    }

    // MARK: - Tables

    private var geometries: TextTable {
        var table = TextTable(columns: [
            .left("id"), .left("kind"), .left("used"), .right("triangles"), .right("corners"), .right("positions"),
            .right("lines"), .right("parts"), .right("degenerate"), .left("size"),
        ])
        table.add(
            rows: inspection.geometries.map { row in
                let measure = row.measure
                return [
                    name(row.name, row.id), row.kind, mark(row.isUsed), Figures.count(measure.triangles),
                    Figures.count(measure.faceCorners), Figures.count(measure.positions), Figures.count(measure.lines),
                    Figures.count(measure.submeshes), Figures.count(measure.degenerateFaces),
                    measure.bounds.map { box in
                        [box.size.x, box.size.y, box.size.z].map(Figures.significant).joined(
                            separator: style.marks(" × "))
                    } ?? none,
                ]
            })
        return table
    }

    private var materials: TextTable {
        var table = TextTable(columns: [
            .left("id"), .left("shading"), .left("used"), .left("opacity"), .left("sides"), .left("textures"),
        ])
        table.add(
            rows: inspection.materials.map { row in
                [
                    name(row.name, row.id), row.shading?.rawValue ?? none, mark(row.isUsed), opacity(row.opacity),
                    sides(row.sides), textures(row.textures),
                ]
            })
        return table
    }

    private var images: TextTable {
        var table = TextTable(columns: [
            .left("id"), .left("state"), .right("size"), .left("format"), .right("channels"), .right("bytes"),
            .right("on a card"), .left("path or reference"), .left("sure"), .left("remark"),
        ])
        table.add(
            rows: inspection.images.map { row in
                [
                    name(row.name, row.id), ImageState(row).rawValue,
                    row.width.flatMap { width in row.height.map { "\(width)\(style.marks(" × "))\($0)" } } ?? none,
                    row.format?.rawValue ?? none, row.channels.map(String.init) ?? none,
                    row.bytes.map(Figures.bytes) ?? none, row.gpuBytes.map(Figures.bytes) ?? none,
                    (row.path ?? row.reference ?? none).withoutControls, row.confidence?.rawValue ?? none,
                    ImageRemark(row).text.withoutControls,
                ]
            })
        return table
    }

    private var controllers: TextTable {
        var table = TextTable(columns: [.left("id"), .left("kind"), .right("joints"), .right("targets")])
        table.add(
            rows: inspection.controllers.map { row in
                switch row.kind {
                case .skin(let skin): [name(row.name, row.id), "skin", Figures.count(skin.joints.count), none]
                case .morph(let morph): [name(row.name, row.id), "morph", none, Figures.count(morph.targets.count)]
                case nil: [name(row.name, row.id), none, none, none]
                }
            })
        return table
    }

    private var animations: TextTable {
        var table = TextTable(columns: [.left("id"), .right("channels"), .right("from s"), .right("to s")])
        table.add(
            rows: inspection.animations.map { row in
                [
                    name(row.name, row.id), Figures.count(row.channels), seconds(row.span?.lowerBound),
                    seconds(row.span?.upperBound),
                ]
            })
        return table
    }

    private var clips: TextTable {
        var table = TextTable(columns: [
            .left("id"), .right("animations"), .right("from s"), .right("to s"), .right("duration s"),
        ])
        table.add(
            rows: inspection.animationClips.map { row in
                [
                    name(row.name, row.id), Figures.count(row.animations), seconds(row.start), seconds(row.end),
                    seconds(row.duration),
                ]
            })
        return table
    }

    // MARK: - Cells

    /// Where there is nothing to tell.
    private var none: String { style.marks("–") }

    /// By its id, which is unique where names often are not.
    private func name(_ name: String?, _ id: String?) -> String {
        (id ?? name ?? "unnamed").withoutControls.cut(to: Self.nameLimit, by: style.marks("…"))
    }

    private func mark(_ isUsed: Bool) -> String { isUsed ? "yes" : "no" }

    private func seconds(_ value: Double?) -> String { value.map(Figures.significant) ?? none }

    private func opacity(_ opacity: Opacity) -> String {
        switch opacity {
        case .opaque: "opaque"
        // What convert makes of it: exporters that write it mean the opposite.
        case .constant(0): "0, shown opaque"
        case .constant(let value): Figures.significant(value)
        case .texture: "textured"
        }
    }

    private func sides(_ sides: Material.Sides?) -> String {
        switch sides {
        case .single: "one"
        case .double: "both"
        case nil: none
        }
    }

    private func textures(_ rows: [Inspection.TextureRow]) -> String {
        guard !rows.isEmpty else { return none }
        return rows.map {
            "\($0.property) \(($0.image ?? "unnamed").withoutControls.cut(to: Self.nameLimit, by: style.marks("…")))"
        }
        .joined(separator: ", ")
    }
}
