// What the reader mends it tells by codes of its own (QUIRK_…), so that a fault is not told twice.

extension SchemaChecker {
    private var leavesQuirks: Bool { isLenient && reader.mends }

    /// Whether the text of an element is one that the reader takes for what was meant.
    func isMended(_ fault: SimpleTypeFault, in element: String) -> Bool {
        guard leavesQuirks, reader.textUse == .read else { return false }
        switch (element, fault.kind) {
        case ("up_axis", .value): return ["X_UP", "Y_UP", "Z_UP"].contains(fault.value.uppercased())
        case ("color", .length(3)), ("border_color", .length(3)): return true
        case ("radius", .length(1)), ("radius1", .length(1)), ("radius2", .length(1)): return true
        case ("dynamic", .text), ("hollow", .text), ("enabled", .text), ("interpenetrate", .text):
            return isTruth(fault.value)
        case ("IDREF_array", .name), ("Name_array", .name), ("init_from", .name): return fault.value.hasPrefix("#")
        default: return false  // strings: all else is told here
        }
    }

    /// Whether the text of an attribute is one that the reader takes for what was meant.
    func isMended(_ fault: SimpleTypeFault, of attribute: String) -> Bool {
        leavesQuirks && attribute == "closed" && isTruth(fault.value)
    }

    private func isTruth(_ text: String) -> Bool { ["TRUE", "FALSE"].contains(text.uppercased()) }

    /// Whether the rules over addresses tell of it, which are held against a document that is examined.
    func isToldAsAddress(_ fault: SimpleTypeFault, in element: String) -> Bool {
        guard isLenient, reader.options.examiner != nil, fault.kind == .address else { return false }
        guard fault.value.contains(where: { $0 == " " || $0 == "\\" }) else { return false }
        return Self.addressed.contains(element)
    }

    private static let addressed: Set<String> = [
        "convex_mesh", "init_from", "instance_animation", "instance_camera", "instance_controller", "instance_effect",
        "instance_geometry", "instance_light", "instance_material", "instance_node", "instance_visual_scene", "morph",
        "ref", "skeleton", "skin",
    ]

    /// Whether an element that stands a second time is read on from the first.
    func isMended(second child: String, in parent: String) -> Bool {
        guard leavesQuirks, child == "p" || child == "vcount" else { return false }
        return ["triangles", "lines", "polylist"].contains(parent)
    }
}
