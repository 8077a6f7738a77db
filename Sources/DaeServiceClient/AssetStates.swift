import DaeDiagnostics
import DaeDownload
public import DaePipeline
import Synchronization

/// What the service tells of its assets as it happens.
public enum ServedChange: Sendable {
    /// An asset was added, or is in another state.
    case state(AssetID, AssetState)
    /// An asset is there no longer.
    case removed(AssetID)
    /// Some changes are not known here, as after a long break:
    /// ``AssetServiceClient/assets(state:labels:after:limit:)`` says how things stand.
    case missed
}

extension AssetServiceClient {
    /// The states of an asset as they change, the present one first; ends behind the one that settles it, or when it is
    /// removed.
    ///
    /// A connection that breaks or falls silent is made again and goes on behind the last state seen. Ending the loop, or
    /// cancelling its task, ends the transfer at once. Each iteration has a connection of its own.
    public func states(of id: AssetID) -> some AsyncSequence<AssetState, AssetServiceError> & Sendable {
        WatchedEvents(client: self, path: "/v1/assets/\(id.text)/events") { event throws(AssetServiceError) in
            switch event.name {
            case "state":
                let state = try AssetState(event)
                return state.isSettled ? .last(state) : .element(state)
            case "removed": return .over
            default: return .other  // strings: performed actions, and what later services add
            }
        }
    }

    /// What changes of any asset from now on, without an end. As ``states(of:)``.
    public func changes() -> some AsyncSequence<ServedChange, AssetServiceError> & Sendable {
        WatchedEvents(client: self, path: "/v1/events") { event throws(AssetServiceError) in
            switch event.name {
            case "state":
                let (asset, data) = try event.aboutAsset()
                do { return .element(.state(asset, try data.decoded(AssetState.self))) } catch {
                    throw .notUnderstood("a state: \(error)")
                }
            case "removed": return .element(.removed(try event.aboutAsset().asset))
            case "gap": return .element(.missed)
            default: return .other  // strings: as above
            }
        }
    }

    /// The asset once nothing works on it any more.
    public func settled(
        _ id: AssetID, observing observe: (AssetState) -> Void = { _ in }
    ) async throws(AssetServiceError) -> ServedAsset {
        for try await state in states(of: id) {
            observe(state)
        }
        return try await asset(id)
    }
}

extension AssetState {
    fileprivate init(_ event: ServerSentEvent) throws(AssetServiceError) {
        do { self = try JSONValue(text: Array(event.data.utf8)).decoded(AssetState.self) } catch {
            throw .notUnderstood("a state: \(error)")
        }
    }
}

extension ServerSentEvent {
    /// Whose it is in a stream of all assets.
    fileprivate func aboutAsset() throws(AssetServiceError) -> (asset: AssetID, data: JSONValue) {
        guard let json = try? JSONValue(text: Array(data.utf8)), let data = json["data"],
            let asset = json["asset"]?.string.flatMap({ AssetID($0) })
        else { throw .notUnderstood("an event without its asset") }
        return (asset, data)
    }
}
