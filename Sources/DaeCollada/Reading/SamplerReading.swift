import DaeScene
import DaeSchema

/// Makes a curve of a sampler's inputs.
struct SamplerReading {
    let inputs: [ColladaDocument.Input]
    let sources: SourceTable

    /// `nil` without times or values.
    func curve(before: AnimationBehavior, after: AnimationBehavior) -> AnimationCurve? {
        guard let times = numbers("INPUT"), let values = numbers("OUTPUT") else { return nil }
        let incoming = numbers("IN_TANGENT")
        let outgoing = numbers("OUT_TANGENT")
        return AnimationCurve(
            times: times.values, values: values.values, width: values.width, interpolationNames: names("INTERPOLATION"),
            tangents: AnimationTangents(
                incoming: incoming?.values ?? [], outgoing: outgoing?.values ?? [], incomingStride: incoming?.width,
                outgoingStride: outgoing?.width), before: before, after: after)
    }

    /// The semantic that is needed and has no input here, or one whose source has no numbers; one whose source is not
    /// here is a reference that leads nowhere, which is reported as such.
    var missing: String? {
        ["INPUT", "OUTPUT"].first { semantic in
            guard inputs.contains(where: { $0.semantic == semantic }) else { return true }
            guard let place = place(semantic) else { return false }
            return !sources.array(at: place).isReals
        }
    }

    private func place(_ semantic: String) -> Int? {
        inputs.firstIndex { $0.semantic == semantic }.flatMap { sources.place(of: inputs[$0]) }
    }

    private func names(_ semantic: String) -> [String] {
        place(semantic).flatMap { sources.array(at: $0).words } ?? []
    }

    private func values(at place: Int) -> [Double]? {
        switch sources.array(at: place) {
        case .reals(let array): array.array
        case .names, .idrefs, .sidrefs, .none: nil
        }
    }

    /// The numbers of an input, element after element, and how many an element has.
    private func numbers(_ semantic: String) -> (values: [Double], width: Int)? {
        guard let place = place(semantic), let array = values(at: place) else { return nil }
        guard let accessor = sources.accessor(at: place) else { return (array, 1) }
        let width = accessor.params.isEmpty ? accessor.stride : accessor.params.count
        let isWhole =
            accessor.offset == 0 && accessor.stride == width && accessor.count * width == array.count
            && accessor.params.allSatisfy { $0 != nil || width == 1 }
        if isWhole { return (array, width) }
        return packed(array, accessor)
    }

    /// The values that an accessor names, front to back; as many elements as the array really holds.
    private func packed(
        _ array: [Double], _ accessor: ColladaDocument.Accessor
    ) -> (values: [Double], width: Int) {
        var lanes = accessor.params.indices.filter { accessor.params[$0] != nil }
        if lanes.isEmpty { lanes = Array(0..<min(accessor.stride, array.count)) }
        var values: [Double] = []
        var start = accessor.offset
        for _ in 0..<accessor.count {
            guard let last = lanes.last, start <= array.count - 1 - last else { break }
            for lane in lanes { values.append(array[start + lane]) }
            start += accessor.stride
        }
        return (values.fitted(), max(1, lanes.count))
    }
}
