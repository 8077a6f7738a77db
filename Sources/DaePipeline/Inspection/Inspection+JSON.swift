import DaeArchive
public import DaeDiagnostics
import DaeImages
import DaeResources
import DaeScene

extension Inspection {
    public static let schemaVersion = 1

    /// The object of design: every key always there, `null` where nothing is known.
    public var json: JSONValue {
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
    public var json: JSONValue {
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
