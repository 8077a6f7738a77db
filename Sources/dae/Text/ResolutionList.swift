import Daedalus

/// How the references of a scene were followed.
struct ResolutionList {
    enum Selection {
        case all, failures
    }

    private let opened: LiveBundle
    private let choice: SceneChoice
    private let resolutions: [Resolution]
    private let shown: [Resolution]
    private let style: Style

    init(
        _ opened: LiveBundle, _ choice: SceneChoice, _ resolutions: [Resolution], shows: Selection, style: Style
    ) {
        self.opened = opened
        self.choice = choice
        self.resolutions = resolutions
        switch shows {
        case .all: shown = resolutions
        case .failures: shown = resolutions.filter(\.isFailure)
        }
        self.style = style
    }

    var text: String {
        let name = style(.bold, opened.file.input.withoutControls)
        let failures = resolutions.count(where: \.isFailure)
        let sum =
            resolutions.isEmpty
            ? "no references"
            : "\(Figures.count(resolutions.count, "reference")), "
                + (failures == 0 ? "none missing" : style(.red, "\(failures) missing"))
        let blocks = shown.map { resolution in
            let lines = resolution.description.split(separator: "\n", maxSplits: 1)
            let head = lines.first.map(String.init) ?? ""
            let rest = lines.dropFirst().map { "\n" + style(.dim, String($0)) }.joined()
            return (resolution.isFailure ? style(.red, head) : head) + rest + "\n"
        }
        return blocks.joined() + "\(name): \(sum)\n"
    }

    var json: JSONValue {
        [
            "schemaVersion": JSONValue(Inspection.schemaVersion),
            "source": opened.source.json, "scene": .string(choice.entry.path), "references": .array(shown.map(\.json)),
        ]
    }
}
