/// The command line is wrong.
struct WrongArguments: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// Options with a value each: `--systems 1000`.
struct Options {
  private var rest: [String]

  init(_ arguments: some Sequence<String>) {
    rest = Array(arguments)
  }

  /// Removes an option and returns its number; `nil` if the option is not given.
  mutating func number(_ name: String, atLeast least: Int = 1) throws -> Int? {
    guard let text = try text(name) else { return nil }
    guard let number = Int(text), number >= least else {
      throw WrongArguments("\(name) takes a number, \(least) or more")
    }
    return number
  }

  /// Removes an option and returns its text; `nil` if the option is not given.
  mutating func text(_ name: String) throws -> String? {
    guard let place = rest.firstIndex(of: name) else { return nil }
    guard place + 1 < rest.count else { throw WrongArguments("\(name) takes a value") }
    defer { rest.removeSubrange(place...place + 1) }
    return rest[place + 1]
  }

  /// Throws if arguments are left.
  func end() throws {
    guard let unknown = rest.first else { return }
    throw WrongArguments("'\(unknown)' is not an option")
  }
}
