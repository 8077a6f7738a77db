import DaeDiagnostics
import DaeNumbers
import DaeScene

/// Reads OpenRAVE's extras of robots, from the elements that are kept as they stand.
enum OpenRAVEReader {
    static func openRAVE(_ view: ElementView, _ context: inout ReadingContext) -> ColladaDocument.OpenRAVEExtension {
        var extensions = ColladaDocument.OpenRAVEExtension()
        var known: Set<String> = []
        for extra in view.raws where extra.name == "extra" {
            for technique in extra.children where technique.name == "technique" && technique["profile"] == "OpenRAVE" {
                let type = extra["type"] ?? ""
                if known.insert(type).inserted { extensions.types.append(type) }
                switch type {
                case "interface_type": extensions.interface = technique.first("interface")?.text
                case "manipulator": extensions.manipulators.append(manipulator(technique, name: extra["name"]))
                case "collision": extensions.noncolliding += noncolliding(technique)
                default: break  // strings: sensors, actuators and the rest stay extras
                }
            }
        }
        for type in extensions.types {
            context.log.add(
                .kinematicsExtension, at: view.place,
                "OpenRAVE's extension \(type.quoted(80)) is kept", arguments: [.init("type", type)])
        }
        return extensions
    }

    private static func manipulator(_ raw: RawElement, name: String?) -> ColladaDocument.OpenRAVEExtension.Manipulator {
        let tip = raw.first("frame_tip")
        return .init(
            name: name, origin: raw.first("frame_origin")?["link"], tip: tip?["link"],
            tool: tip?.children.compactMap { transform($0) } ?? [],
            direction: tip?.first("direction").flatMap { Self.reals($0.text, count: 3) }.map {
                SIMD3($0[0], $0[1], $0[2])
            },
            gripperJoints: raw.children.filter { $0.name == "gripper_joint" }.compactMap { $0["joint"] })
    }

    private static func noncolliding(_ raw: RawElement) -> [String] {
        raw.children.filter { $0.name == "link_collision_state" && $0.first("bool")?.text == "false" }.compactMap {
            $0["link"]
        }
    }

    private static func transform(_ raw: RawElement) -> Transform? {
        switch raw.name {
        case "translate": Self.reals(raw.text, count: 3).map { .translate(SIMD3($0[0], $0[1], $0[2])) }
        case "rotate": Self.reals(raw.text, count: 4).map { .rotate(axis: SIMD3($0[0], $0[1], $0[2]), degrees: $0[3]) }
        default: nil  // strings: the others are no transforms
        }
    }

    private static func reals(_ text: String, count: Int) -> [Double]? {
        let values = text.utf8.split { $0 <= 0x20 }.compactMap { NumberText.double(String(Substring($0))).value }
        return values.count == count && values.allSatisfy(\.isFinite) ? values : nil
    }
}
