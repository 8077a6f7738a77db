import FoundationEssentials
import TestSupport

/// Puts another program in the place of the service's workers. That program is a script of bash; it is given its order, and
/// becomes the true worker where no rule of the test says otherwise.
struct ReplacedWorker {
    /// The service starts its own program again, so the call by which it does is taken over before it starts; that needs a
    /// compiler of C.
    static let isPossible = ["bash", "clang"].allSatisfy(Program.isInstalled)

    /// For the service's process.
    let environment: [String: String]

    private static let library = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <spawn.h>
        #include <stdlib.h>
        #include <string.h>

        typedef int spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                          char *const[], char *const[]);

        int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
            const char *other = strcmp(path, "/proc/self/exe") == 0 ? getenv("REPLACED_WORKER") : NULL;
            spawn *real = (spawn *)dlsym(RTLD_NEXT, "posix_spawn");
            return real(child, other ? other : path, actions, attributes, arguments, environment);
        }
        """

    /// - Parameters:
    ///   - rules: Patterns of `case` in bash, for the order, with what is done for each. `$folder` is the worker's own; `state`
    ///     says a state, `work` becomes the true worker.
    ///   - folder: Where it lies, for as long as the service runs.
    init(_ rules: String, in folder: TemporaryFolder) throws {
        let source = try folder.write(Self.library, to: "replaced.c")
        let library = folder.path + "/replaced.so"
        let build = try Program.run(["-shared", "-fPIC", "-o", library, source, "-ldl"], program: "clang")
        guard build.code == 0 else { throw NotBuilt(errors: build.errors) }
        // The true worker reads its order, and then waits for the end of its standard input. What hands both on must not
        // keep a pipe of the worker open.
        let script = """
            #!/bin/bash
            PATH=/usr/local/bin:/usr/bin:/bin
            IFS= read -r order
            folder=${order#*'"folder":{"path":"'}
            folder=${folder%%'"'*}
            folder=${folder//'\\/'/'/'}
            work() { exec '\(ServiceProcess.program)' worker-process < <(exec 2>/dev/null; printf '%s\\n' "$order"; exec cat); }
            state() { printf '{"state":{"_0":%s}}\\n' "$1"; }
            case $order in
            \(rules)
            *) work ;;
            esac
            """
        let program = try folder.write(script, to: "worker")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        environment = ["LD_PRELOAD": library, "REPLACED_WORKER": program]
    }

    struct NotBuilt: Error {
        let errors: String
    }
}
