import DaeCore
import Daedalus

/// What a conversion wrote and what it changed, for people: losses first.
struct FidelityText {
    /// What was written, as one line without its end.
    let headline: String
    let text: String

    init(_ report: FidelityReport, output: String, style: Style) {
        let losses = report.losses
        let sum = Self.sum(of: report.contents) + (losses.isEmpty ? ["nothing was lost"] : [])
        headline = "\(output.withoutControls)   " + sum.joined(separator: style.marks(" · "))
        var lines = [headline]
        let others = report.entries.filter { !$0.change.isLoss }
        for entry in losses + others {
            let places = entry.places.prefix(3).map(\.withoutControls).joined(separator: ", ")
            let more = entry.places.count > 3 ? style.marks(", …") : ""
            let deviation = entry.deviation.flatMap { deviation in
                entry.subject.measure.map { ", at most \(Self.amount(deviation, of: $0))" }
            }
            lines.append(
                "  \(entry.change.rawValue.padded(to: 13))\(entry.count)" + style.marks(" × ")
                    + entry.subject.title(of: entry.change) + (deviation ?? "")
                    + (places.isEmpty ? "" : ": \(places)\(more)"))
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    /// Such as `24 kB`, `5 nodes`, `1 mesh in 2 draw calls`, `2 materials`.
    private static func sum(of contents: FidelityReport.Contents) -> [String] {
        let calls = Figures.count(contents.primitives, "draw call")
        let count = Figures.count(contents.meshes, "mesh", "meshes")
        let meshes = contents.meshes == 0 ? "no mesh" : "\(count) in \(calls)"
        let others = [
            (contents.materials, "material"), (contents.images, "image"), (contents.skins, "skin"),
            (contents.animations, "animation"), (contents.cameras, "camera"), (contents.lights, "light"),
        ]
        let nodes = contents.nodes > 0 || contents.meshes == 0 ? [Figures.count(contents.nodes, "node")] : []
        return
            [Figures.bytes(Int64(contents.bytes))] + nodes + [meshes]
            + others.filter { $0.0 > 0 }.map { Figures.count($0.0, $0.1) }
    }

    /// Such as `0.002 % of the scene's size`, or `1.0 s`.
    private static func amount(_ deviation: Double, of measure: String) -> String {
        switch measure {
        case "seconds": "\((deviation * 1000).rounded() / 1000) s"
        case "degrees": "\((deviation * 1000).rounded(.up) / 1000)°"
        default: "\(share(deviation)) \(measure)"
        }
    }

    /// Such as `0.002 %`.
    private static func share(_ value: Double) -> String {
        let percent = value * 100
        return percent < 0.001 ? "0.001 %" : "\((percent * 1000).rounded(.up) / 1000) %"
    }
}
