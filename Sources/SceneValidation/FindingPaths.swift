// What is found once a document was read knows only where its element stands; which one that is, a second look tells.

public import Archive
import ByteSource
public import Diagnostics
import XMLReader

/// Says of findings which element they are about, where only its line and column are known.
public enum FindingPaths {
    /// Gives places that have a line and column, but no path, the path and id of the element there.
    ///
    /// Reads the documents again that hold such places, up to the last of them, unless they lie on a server.
    ///
    /// - Parameter isCancelled: Asked now and then; what was not found until then stays without.
    public static func complete(_ log: inout FindingLog, in bundle: Bundle, isCancelled: () -> Bool = { false }) {
        guard bundle.source?.distance != .far else { return }
        var found: [Spot: ElementLocator.Element] = [:]
        for (path, spots) in wanted(in: log) {
            guard let entry = bundle.entry(at: path) else { continue }
            let locator = ElementLocator(spots.map { .init(line: $0.line, column: $0.column) })
            let reader = XMLReader(vocabulary: XMLVocabulary([]), handler: locator)
            // What could not be read was told when it was read first.
            try? bundle.read(entry) { chunk in
                if locator.isDone || isCancelled() { throw CancellationError() }
                try reader.read(chunk)
            }
            for (spot, element) in zip(spots, locator.elements) { found[spot] = element }
        }
        guard !found.isEmpty else { return }
        log.updatePlaces { place in
            guard let element = Spot(place).flatMap({ found[$0] }) else { return }
            place.path = element.path
            place.elementID = place.elementID ?? element.id
        }
    }

    /// Of each document in order of their lines.
    private static func wanted(in log: FindingLog) -> [(path: String, spots: [Spot])] {
        var spots: [String: Set<Spot>] = [:]
        for place in log.findings.flatMap({ [$0.place] + $0.related }) {
            if let spot = Spot(place) { spots[spot.entry, default: []].insert(spot) }
        }
        return spots.sorted { $0.key < $1.key }.map { path, spots in
            (path, spots.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
        }
    }

    private struct Spot: Hashable {
        let entry: String
        let line: Int
        let column: Int

        /// `nil` for a place that has its path, or no line.
        init?(_ place: Place) {
            guard place.path == nil, let entry = place.entry, let line = place.line, let column = place.column else {
                return nil
            }
            self.entry = entry
            self.line = line
            self.column = column
        }
    }
}
