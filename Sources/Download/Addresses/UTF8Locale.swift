// libidn2 takes host names in the encoding of the locale, which is plain ASCII in a program that never set one.

import Glibc

/// A locale for one call on this thread; the process keeps its own.
enum UTF8Locale {
    /// Unchecked because a locale is never changed once it was made.
    private struct Handle: @unchecked Sendable {
        let locale: locale_t?
    }

    private static let handle = Handle(locale: newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))

    static func use<Value>(_ body: () -> Value) -> Value {
        guard let locale = handle.locale else { return body() }
        let former = uselocale(locale)
        defer { uselocale(former) }
        return body()
    }
}
