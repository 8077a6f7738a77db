/// A module by a name that is on everybody's mind: it must not collide with one of the library.
public let isOurOwn = true
