import Glibc
import Synchronization

/// Files that have a name of their own until they are whole, for an end that lets nobody tidy up.
///
/// Of the whole program, since a signal ends all of it.
package enum PartialFiles {
    private enum State {
        case open(Set<String>)
        /// The program ends: none is made any more.
        case closed
    }

    private static let state = Mutex(State.open([]))

    /// Makes a file, unless the program ends: then its descriptor is -1.
    ///
    /// - Parameter make: Gives -1, and `errno`, where it could not.
    package static func create(
        _ make: () -> (path: String, descriptor: Int32)
    ) -> (path: String, descriptor: Int32) {
        state.withLock { state in
            guard case .open(var paths) = state else {
                errno = ECANCELED
                return ("", -1)
            }
            let made = make()
            guard made.descriptor >= 0 else { return made }
            paths.insert(made.path)
            state = .open(paths)
            return made
        }
    }

    /// Takes one away, or forgets one that has got its name.
    package static func remove(_ path: String) {
        state.withLock { state in
            guard case .open(var paths) = state, paths.remove(path) != nil else { return }
            unlink(path)
            state = .open(paths)
        }
    }

    /// Takes all away, to be called when nothing but the program's end is to follow.
    package static func removeAll() {
        state.withLock { state in
            if case .open(let paths) = state {
                for path in paths { unlink(path) }
            }
            state = .closed
        }
    }
}
