import Hummingbird

/// Says of a path that is known which methods it has, where it was asked for another.
enum MethodRoutes {
    private static let all = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"].compactMap {
        HTTPRequest.Method($0)
    }

    static func add(to router: Router<some RequestContext>) {
        var methods: [String: (path: RouterPath, known: [HTTPRequest.Method])] = [:]
        for route in router.routes {
            methods[route.path.description, default: (route.path, [])].known.append(route.method)
        }
        for (path, known) in methods.values {
            // Made by the router itself.
            let answered = known.contains(.get) ? known + [.head] : known
            let names = Set(answered.map(\.rawValue)).sorted().joined(separator: ", ")
            for method in all where !answered.contains(method) {
                router.on(path, method: method) { request, _ -> Response in
                    var problem = Problem(
                        .methodNotAllowed, nil, "\(request.method.rawValue) is not possible here; possible: \(names).")
                    problem.headers[.allow] = names
                    throw problem
                }
            }
        }
    }
}
