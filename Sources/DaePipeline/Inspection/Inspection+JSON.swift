import DaeArchive
import DaeCollada
import DaeCore
package import DaeDiagnostics
import DaeImages
import DaeResources
import DaeScene

extension Inspection {
    package static let schemaVersion = 1

    /// The object of design: every key always there, `null` where nothing is known.
    package var json: JSONValue {
        var members = membersBesideLists
        for list in lists { members[list.name] = list.json }
        return .object(members)
    }

    /// Makes the text of ``json`` piece by piece, as UTF-8 without a line end: neither it nor the rows of the longest
    /// lists are ever there all at once.
    ///
    /// - Parameter take: Takes the next piece; says whether it wants more.
    package func writeJSON(_ style: JSONValue.Style, to take: ([UInt8]) -> Bool) {
        JSONValue.write(style, membersBesideLists, lists: lists, to: take)
    }

    /// Those that may have a row for each of tens of thousands of elements.
    private var lists: [JSONValue.List] {
        [
            .init("geometries", count: own(geometries, \.geometries).count) { geometries[$0].row },
            .init("images", count: own(images, \.images).count) { images[$0].row },
            .init("materials", count: own(materials, \.materials).count) { materials[$0].row },
        ]
    }

    private var membersBesideLists: [String: JSONValue] {
        [
            "schemaVersion": JSONValue(Self.schemaVersion), "source": source.json, "bundle": bundle.json,
            "document": document.json, "counts": counts.json, "physics": physics.json, "kinematics": kinematics.json,
            "scene": scene.json,
            "animations": .array(own(animations, \.animations).map(\.json)),
            "animationClips": .array(own(animationClips, \.animationClips).map(\.json)),
            "cameras": .array(own(cameras, \.cameras).map(\.json)),
            "lights": .array(own(lights, \.lights).map(\.json)),
            "controllers": .array(own(controllers, \.controllers).map(\.json)), "linked": linkedJSON,
            "findings": findings.json,
        ]
    }

    /// What `dae validate` prints of it: the same object without what is not about faults.
    package var validationJSON: JSONValue {
        [
            "schemaVersion": JSONValue(Self.schemaVersion), "source": source.json, "bundle": bundle.json,
            "document": document.json, "findings": findings.json,
        ]
    }
}

extension Inspection.Source {
    package var json: JSONValue {
        [
            "input": .string(input), "kind": JSONValue(kind?.rawValue), "bytes": JSONValue(bytes),
            "sha256": JSONValue(sha256),
        ]
    }
}

extension Inspection.BundleSummary {
    var json: JSONValue {
        [
            "entries": JSONValue(entries), "bytes": JSONValue(bytes),
            "scene": [
                "path": .string(scenePath), "rule": .string(rule.rawValue), "candidates": JSONValue(candidates),
                "models": JSONValue(models),
            ], "unused": JSONValue(unused),
            "duplicates": .array(duplicates.map { JSONValue($0) }),
        ]
    }
}

extension Inspection.DocumentSummary {
    var json: JSONValue {
        [
            "version": JSONValue(version), "encoding": JSONValue(encoding), "bytes": JSONValue(bytes),
            "authoringTools": JSONValue(authoringTools), "upAxis": .string(upAxis.rawValue),
            "unit": ["name": JSONValue(unitName), "meter": JSONValue(metersPerUnit)], "created": JSONValue(created),
            "modified": JSONValue(modified), "title": JSONValue(title),
        ]
    }
}

extension Inspection.Counts {
    var json: JSONValue {
        [
            "geometries": JSONValue(geometries), "submeshes": JSONValue(submeshes), "triangles": JSONValue(triangles),
            "faceCorners": JSONValue(faceCorners), "positions": JSONValue(positions), "lines": JSONValue(lines),
            "materials": JSONValue(materials), "effects": JSONValue(effects), "images": JSONValue(images),
            "cameras": JSONValue(cameras), "lights": JSONValue(lights), "controllers": JSONValue(controllers),
            "skins": JSONValue(skins), "morphs": JSONValue(morphs), "joints": JSONValue(joints),
            "animations": JSONValue(animations), "animationChannels": JSONValue(animationChannels),
            "animationClips": JSONValue(animationClips), "nodes": JSONValue(nodes),
            "visualScenes": JSONValue(visualScenes), "physicsScenes": JSONValue(physicsScenes),
            "kinematicsScenes": JSONValue(kinematicsScenes),
        ]
    }
}

extension Inspection.SceneSummary {
    var json: JSONValue {
        [
            "name": JSONValue(name), "nodes": JSONValue(nodes), "depth": JSONValue(depth),
            "instances": JSONValue(instances), "triangles": JSONValue(triangles),
            "bounds": bounds.map { ["min": JSONValue($0.min), "max": JSONValue($0.max)] } ?? .null,
            "sizeInMeters": sizeInMeters.map { JSONValue($0) } ?? .null,
        ]
    }
}

// MARK: - Rows

extension Inspection.GeometryRow {
    var row: JSONValue.Row {
        [
            "bounds": measure.bounds.map { ["min": JSONValue($0.min), "max": JSONValue($0.max)] } ?? .null,
            "degenerateFaces": JSONValue(measure.degenerateFaces), "faceCorners": JSONValue(measure.faceCorners),
            "id": JSONValue(id), "kind": .string(kind), "lines": JSONValue(measure.lines), "name": JSONValue(name),
            "positions": JSONValue(measure.positions), "submeshes": JSONValue(measure.submeshes),
            "triangles": JSONValue(measure.triangles), "used": .bool(isUsed),
        ]
    }
}

extension Inspection.MaterialRow {
    var row: JSONValue.Row {
        [
            "doubleSided": sides.map { .bool($0 == .double) } ?? .null, "effect": JSONValue(effect),
            "id": JSONValue(id), "images": JSONValue(images), "name": JSONValue(name), "opacity": opacityJSON,
            "shading": JSONValue(shading?.rawValue), "textures": .array(textures.map(\.json)), "used": .bool(isUsed),
        ]
    }

    /// `null` where a texture gives it.
    private var opacityJSON: JSONValue {
        switch opacity {
        case .opaque: JSONValue(1)
        case .constant(let value): JSONValue(value)
        case .texture: .null
        }
    }
}

extension Inspection.TextureRow {
    var json: JSONValue {
        ["property": .string(property), "image": JSONValue(image), "texcoord": .string(texcoord)]
    }
}

extension Inspection.ImageRow {
    var row: JSONValue.Row {
        [
            "bytes": JSONValue(bytes), "channels": JSONValue(channels), "confidence": JSONValue(confidence?.rawValue),
            "faults": JSONValue(faults.map(\.rawValue)), "format": JSONValue(format?.rawValue),
            "gpuBytes": JSONValue(gpuBytes), "height": JSONValue(height), "id": JSONValue(id),
            "name": JSONValue(name), "outside": .bool(isOutside), "path": JSONValue(path),
            "reason": JSONValue(reason), "reference": JSONValue(reference), "rule": JSONValue(rule?.rawValue),
            "status": .string(status.rawValue), "truncated": isTruncated.map(JSONValue.bool) ?? .null,
            "width": JSONValue(width),
        ]
    }
}

extension Inspection.AnimationRow {
    var json: JSONValue {
        [
            "id": JSONValue(id), "name": JSONValue(name), "channels": JSONValue(channels),
            "start": JSONValue(span?.lowerBound), "end": JSONValue(span?.upperBound),
        ]
    }
}

extension Inspection.ClipRow {
    var json: JSONValue {
        [
            "id": JSONValue(id), "name": JSONValue(name), "start": JSONValue(start), "end": JSONValue(end),
            "duration": JSONValue(duration), "animations": JSONValue(animations),
        ]
    }
}

extension Inspection.CameraRow {
    var json: JSONValue {
        var kind: String?
        var xfov: Double?
        var yfov: Double?
        var xmag: Double?
        var ymag: Double?
        switch camera.projection {
        case .perspective(let x, let y): (kind, xfov, yfov) = ("perspective", x, y)
        case .orthographic(let x, let y): (kind, xmag, ymag) = ("orthographic", x, y)
        case nil: break
        }
        return [
            "id": JSONValue(camera.id), "name": JSONValue(camera.name), "kind": JSONValue(kind),
            "xfov": JSONValue(xfov), "yfov": JSONValue(yfov), "xmag": JSONValue(xmag), "ymag": JSONValue(ymag),
            "aspectRatio": JSONValue(camera.aspectRatio), "znear": JSONValue(camera.near),
            "zfar": JSONValue(camera.far),
        ]
    }
}

extension Inspection.LightRow {
    var json: JSONValue {
        [
            "id": JSONValue(light.id), "name": JSONValue(light.name), "kind": JSONValue(light.kind?.rawValue),
            "color": light.color.map { JSONValue($0) } ?? .null,
        ]
    }
}

extension Inspection.ControllerRow {
    var json: JSONValue {
        var name: String?
        var joints: Int?
        var targets: Int?
        switch kind {
        case .skin(let skin): (name, joints) = ("skin", skin.joints.count)
        case .morph(let morph): (name, targets) = ("morph", morph.targets.count)
        case nil: break
        }
        return [
            "id": JSONValue(id), "name": JSONValue(self.name), "kind": JSONValue(name), "joints": JSONValue(joints),
            "targets": JSONValue(targets),
        ]
    }
}

/// What is said of a source that failed: where, why, and what was found until then.
package struct InspectionFailure: Sendable, Equatable {
    /// The stage of the state machine it failed in.
    package enum Stage: String, Sendable, CaseIterable {
        case download, unzip, parse
    }
    package var source: Inspection.Source
    package var stage: Stage
    package var code: FindingCode
    package var message: String
    package var place: Place
    package var findings: FindingLog

    package init(
        source: Inspection.Source, stage: Stage, code: FindingCode, message: String, place: Place,
        findings: FindingLog = FindingLog()
    ) {
        self.source = source
        self.stage = stage
        self.code = code
        self.message = message
        self.place = place
        self.findings = findings
    }

    /// - Parameter stage: Which it failed in, where the error does not say.
    package init(_ error: any Error, source: Inspection.Source, stage: Stage = .unzip) {
        let coded = error as? any CodedError
        let code = coded?.code ?? .ioError
        self.init(
            source: source, stage: Stage(of: code) ?? stage, code: code,
            message: coded?.message ?? String(describing: error), place: coded?.place ?? Place())
    }

    /// What ended the reading, as one of the findings.
    package var finding: Finding { Finding(code, at: place, message, severity: .error) }

    package var json: JSONValue {
        var all = findings
        all.add(finding)
        return [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "source": source.json,
            "failure": [
                "stage": .string(stage.rawValue), "code": .string(code.rawValue), "message": .string(message),
                "entry": JSONValue(place.entry), "line": JSONValue(place.line), "column": JSONValue(place.column),
            ], "findings": all.json,
        ]
    }
}

extension InspectionFailure.Stage {
    /// The one in which alone an error of this code ends the work; `nil` where several may.
    fileprivate init?(of code: FindingCode) {
        switch code.stage {
        case .download where code != .ioError: self = .download
        case .xml, .schema, .link, .data, .scene: self = .parse
        case .download, .archive, .resource, .convert: return nil
        }
    }
}

/// Puts another name in the place of `source.input` of a report that this program wrote: results are kept under what their
/// bytes are, and each asset's answer bears its own name.
package struct NamedText: Sendable {
    private let value: [UInt8]
    private var phase = Phase.before
    private var rest: [UInt8] = []

    private enum Phase {
        case before
        /// Keys are sorted, and only the object itself begins a line with four spaces behind this one.
        case within
        /// In the value that goes, behind this byte of it.
        case value(UInt8)
        case behind
    }

    private static let object = Array("\n  \"source\": {".utf8)
    private static let key = Array("\n    \"input\": ".utf8)

    package init(source: String) { value = JSONValue.string(SourceAddress.display(source)).text(.compact) }

    /// What may be sent of all that came.
    package mutating func take(_ piece: [UInt8]) -> [UInt8] {
        let text = rest + piece
        rest = []
        var (result, at): ([UInt8], Int) = ([], 0)
        result.reserveCapacity(text.count)
        while at < text.count {
            switch phase {
            case .before: phase = pass(Self.object, text, &at, &result) ? .within : .before
            case .within: phase = pass(Self.key, text, &at, &result) ? .value(0) : .within
            case .value(let last):
                let end = text.firstIndex(of: [UInt8(ascii: "\n")], from: at) ?? text.count
                let before = end > at ? text[end - 1] : last
                at = end
                guard end < text.count else {
                    phase = .value(before)
                    break
                }
                result += value
                if before == UInt8(ascii: ",") { result.append(before) }
                phase = .behind
            case .behind:
                result += text[at...]
                at = text.count
            }
        }
        return result
    }

    /// The rest, when nothing more comes.
    package mutating func end() -> [UInt8] { rest }

    /// Passes all up to a word and the word, or all in which none begins; whether it was there.
    private mutating func pass(_ word: [UInt8], _ text: [UInt8], _ at: inout Int, _ result: inout [UInt8]) -> Bool {
        if let found = text.firstIndex(of: word, from: at) {
            result += text[at..<found + word.count]
            at = found + word.count
            return true
        }
        let end = max(at, text.count - word.count + 1)
        result += text[at..<end]
        rest = Array(text[end...])
        at = text.count
        return false
    }
}
