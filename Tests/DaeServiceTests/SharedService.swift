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

    /// That of the suite that runs.
    static var present: ServiceProcess {
        get throws {
            guard let place else { throw Absent() }
            return place.service
        }
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let place = Place(folder: folder, service: try ServiceProcess(data: folder.path))
        try await Self.$place.withValue(place) { try await function() }
    }
}

extension Trait where Self == SharedService {
    static var sharedService: Self { Self() }
}
