import ArgumentParser

/// The options and flags that a command, or a group of options, declares.
///
/// They are found by the parser's property wrappers. An option's name is that of its property, as the parser names it
/// by default; a test compares them with the help of every command.
struct DeclaredOptions {
  private let all: [(name: String, declaration: any Declaration.Type)]

  /// With their dashes.
  var names: Set<String> { Set(all.map(\.name)) }
  /// Those that take one value, so that they may stand once on a command line.
  var singleValued: Set<String> { names { $0.takesValue && !$0.takesSeveral } }
  /// Those that are no flags.
  var withValue: Set<String> { names { $0.takesValue } }
  /// Those that take a number, with its kind.
  var kinds: [String: NumberKind] {
    Dictionary(all.compactMap { name, option in option.kind.map { (name, $0) } }) { first, _ in
      first
    }
  }

  init(of type: any ParsableArguments.Type) {
    self.init(of: Mirror(reflecting: type.init()).children)
  }

  /// - Parameter members: properties of a command or a group.
  init(of members: some Sequence<Mirror.Child>) {
    all = members.flatMap { child -> [(name: String, declaration: any Declaration.Type)] in
      // For each type that is new, and for each protocol, the runtime searches all conformances of the program, some
      // 75 µs: so there is one protocol, and properties without a wrapper are not asked.
      guard let label = child.label, label.hasPrefix("_"),
        let declaration = type(of: child.value) as? any Declaration.Type
      else { return [] }
      if let group = declaration.group { return DeclaredOptions(of: group).all }
      return [(Self.name(ofProperty: label), declaration)]
    }
  }

  private func names(where isMeant: (any Declaration.Type) -> Bool) -> Set<String> {
    Set(all.filter { isMeant($0.declaration) }.map(\.name))
  }

  /// `--wait-for` for `_waitFor`, which is what a property wrapper is stored as.
  private static func name(ofProperty label: String) -> String {
    label.drop { $0 == "_" }.reduce("--") {
      $1.isUppercase ? "\($0)-\($1.lowercased())" : "\($0)\($1)"
    }
  }
}

/// A property wrapper of the parser's that declares an option, a flag or a group of them.
private protocol Declaration {
  /// The members of a group; `nil` for an option or a flag.
  static var group: (any ParsableArguments.Type)? { get }
  static var takesValue: Bool { get }
  /// Whether an option may stand several times on a command line.
  static var takesSeveral: Bool { get }
  /// The kind of its number; `nil` if it takes none.
  static var kind: NumberKind? { get }
}

extension OptionGroup: Declaration {
  static var group: (any ParsableArguments.Type)? { Value.self }
  static var takesValue: Bool { false }
  static var takesSeveral: Bool { false }
  static var kind: NumberKind? { nil }
}

extension Option: Declaration {
  static var group: (any ParsableArguments.Type)? { nil }
  static var takesValue: Bool { true }
  static var takesSeveral: Bool { Value.self is any Repeatable.Type }
  static var kind: NumberKind? { (Value.self as? any OptionNumber.Type)?.kind }
}

extension Flag: Declaration {
  static var group: (any ParsableArguments.Type)? { nil }
  static var takesValue: Bool { false }
  static var takesSeveral: Bool { false }
  static var kind: NumberKind? { nil }
}

/// A value that an option may have several of.
private protocol Repeatable {}

extension Array: Repeatable {}
