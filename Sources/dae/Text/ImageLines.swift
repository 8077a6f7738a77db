import DaeCore
import Daedalus

/// The images of a scene, what needs somebody's eye first.
struct ImageLines {
    private let images: [Inspection.ImageRow]
    private let style: Style
    /// Columns for a line; `nil` for as many as it takes.
    private let width: Int?
    /// Images that are listed; the rest are counted.
    private static let limit = 12
    private static let gap = "   "

    init(_ images: [Inspection.ImageRow], style: Style, width: Int?) {
        self.images = images
        self.style = style
        self.width = width
    }

    var lines: [String] {
        guard !images.isEmpty else { return ["none"] }
        let sorted = ImageState.allCases.flatMap { state in images.filter { ImageState($0) == state } }
        let shown = sorted.prefix(Self.limit)
        var lines = images.count == 1 ? [] : [summary]
        lines += table(shown.map { Cells($0, style) })
        let rest = sorted.dropFirst(Self.limit)
        if !rest.isEmpty { lines.append(style(.dim, "and \(rest.count) more: \(Self.counts(rest))")) }
        return lines
    }

    // MARK: - Sums

    private var summary: String {
        let sum = "\(Figures.count(images.count, "image")): \(Self.counts(images[...]))"
        let size = "about \(Figures.bytes(memory)) on a graphics card"
        // On a narrow terminal it is the first to go.
        let fits = (sum + Self.gap + size).width <= width ?? .max
        return memory > 0 && fits ? sum + Self.gap + style(.dim, size) : sum
    }

    /// Of each file once.
    private var memory: Int64 {
        var files: Set<String> = []
        return images.reduce(0) { sum, image in
            guard let path = image.path, let bytes = image.gpuBytes, files.insert(path).inserted else { return sum }
            let (total, overflow) = sum.addingReportingOverflow(bytes)
            return overflow ? .max : total
        }
    }

    private static func counts(_ images: ArraySlice<Inspection.ImageRow>) -> String {
        let parts = ImageState.allCases.compactMap { state -> String? in
            let count = images.count { ImageState($0) == state }
            if count == images.count, count > 1 { return "all \(state.rawValue)" }
            return count == 0 ? nil : "\(Figures.count(count)) \(state.rawValue)"
        }
        return parts.joined(separator: ", ")
    }

    // MARK: - Rows

    /// What a row shows, without colours.
    private struct Cells {
        /// Its size, or the word that says why there is none.
        let size: String
        let format: String
        let path: String
        let remark: String
        let ink: Style.Ink?

        init(_ image: Inspection.ImageRow, _ style: Style) {
            let state = ImageState(image)
            ink = state.ink
            format = image.format?.rawValue.uppercased() ?? ""
            path = (image.path ?? image.reference ?? image.id ?? image.name ?? "unnamed").withoutControls
            let times = style.marks(" × ")
            let size =
                image.width.flatMap { width in image.height.map { "\(width)\(times)\($0)" } } ?? style.marks("–")
            self.size = image.status == .found ? size : state.rawValue.uppercased()
            remark = ImageRemark(image).text.withoutControls
        }
    }

    private func table(_ rows: [Cells]) -> [String] {
        let size = rows.map(\.size.width).max() ?? 0
        let format = rows.map(\.format.width).max() ?? 0
        let room = (width ?? .max) - size - 2 - (format == 0 ? 0 : format + 2)
        let remark = rows.map(\.remark.width).max() ?? 0
        let path = rows.filter { !$0.remark.isEmpty }.map(\.path.width).max() ?? 0
        // Paths give way to remarks, down to what still tells one from another.
        let left = max(24, min(path, room - Self.gap.count - remark))
        let cut = style.marks("…")
        return rows.map { row in
            let head = row.size.padded(to: size) + "  "
            let start =
                (row.ink.map { style($0, head) } ?? head) + (format == 0 ? "" : row.format.padded(to: format + 2))
            if row.remark.isEmpty { return start + row.path.cutInTheMiddle(to: max(24, room), by: cut) }
            let shown = row.path.cutInTheMiddle(to: left, by: cut).padded(to: min(left, path))
            let remark = row.remark.cutAtTheEnd(to: max(12, room - shown.width - Self.gap.count), by: cut)
            return start + shown + Self.gap + style(row.ink ?? .dim, remark)
        }
    }
}

/// What there is to say of an image beside its size and path.
struct ImageRemark {
    private let image: Inspection.ImageRow

    init(_ image: Inspection.ImageRow) { self.image = image }

    var text: String {
        var parts = image.faults.map(words)
        if let reason = image.reason { parts.append(reason) }
        if image.status == .missing, image.reference == nil { parts.append("names no file") }
        if image.status == .remote, image.reason == nil {
            // What lies beside a document that came from the web is named by no address of its own.
            parts.append(isAddress ? "not fetched" : "not asked for: --fetch")
        }
        let told = parts.joined(separator: ", ")
        guard image.status == .found, let rule = image.rule, rule != .exact else { return told }
        return (told.isEmpty ? "" : told + " ") + "(\(rule.title))"
    }

    private var isAddress: Bool { image.reference?.contains("://") == true }

    private func words(_ fault: Inspection.ImageRow.Fault) -> String {
        switch fault {
        case .empty: "EMPTY"
        case .truncated: "CUT SHORT"
        case .invalid: "BROKEN HEADER"
        case .unrecognised: "NO IMAGE"
        case .unreadable: "UNREADABLE"
        case .mislabelled: "is \(image.format?.rawValue.uppercased() ?? "another format"), not as named"
        }
    }
}

/// What a person wants to know of an image first; the worst first.
enum ImageState: String, CaseIterable {
    case missing, blocked, ambiguous
    /// Found, and not as it should be.
    case faulty
    /// Asked for on the web in vain.
    case unfetched = "not fetched"
    case remote = "on the web"
    case embedded, found

    init(_ image: Inspection.ImageRow) {
        switch image.status {
        case .found: self = image.faults.isEmpty ? .found : .faulty
        case .missing: self = .missing
        case .embedded: self = .embedded
        case .blocked: self = .blocked
        case .ambiguous: self = .ambiguous
        case .remote: self = image.reason == nil ? .remote : .unfetched
        }
    }

    /// Whether where it was looked for may be of use.
    var isUnresolved: Bool {
        switch self {
        case .missing, .blocked, .ambiguous: true
        case .faulty, .unfetched, .remote, .embedded, .found: false
        }
    }

    var ink: Style.Ink? {
        switch self {
        case .missing, .blocked, .faulty: .red
        case .ambiguous, .unfetched: .yellow
        case .remote, .embedded, .found: nil
        }
    }
}
