import TestSupport
import Testing

/// One service for a whole suite, whose tests leave alone what they find there.
struct SharedService: SuiteTrait, TestScoping {
    struct Absent: Error {}

    private struct Place {
        let folder: TemporaryFolder
        let service: ServiceProcess
    }

    @TaskLocal private static var place: Place?

    fileprivate let start: @Sendable (TemporaryFolder) throws -> ServiceProcess
    fileprivate let end: @Sendable (TemporaryFolder, ServiceProcess) throws -> Void

    /// That of the suite that runs.
    static var present: ServiceProcess {
        get throws {
            guard let place else { throw Absent() }
            return place.service
        }
    }

    /// What it was started with.
    static var folder: TemporaryFolder {
        get throws {
            guard let place else { throw Absent() }
            return place.folder
        }
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let place = Place(folder: folder, service: try start(folder))
        try await Self.$place.withValue(place) { try await function() }
        try end(folder, place.service)
    }
}

extension Trait where Self == SharedService {
    static var sharedService: Self { sharedService { try ServiceProcess(data: $0.path) } }

    /// - Parameters:
    ///   - end: What is looked at behind the last test.
    ///   - start: Given a folder for it, and for what it needs.
    static func sharedService(
        end: @escaping @Sendable (TemporaryFolder, ServiceProcess) throws -> Void = { _, _ in },
        start: @escaping @Sendable (TemporaryFolder) throws -> ServiceProcess
    ) -> Self { Self(start: start, end: end) }
}
