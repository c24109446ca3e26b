import ArgumentParser

/// The options and flags that a command, or a group of options, declares.
///
/// They are found by the parser's property wrappers. An option's name is that of its property, as the parser names it
/// by default; a test compares them with the help of every command.
struct DeclaredOptions {
  /// With their dashes.
  private(set) var names: Set<String> = []
  /// Those that take one value, so that they may stand once on a command line.
  private(set) var singleValued: Set<String> = []
  /// Those that are no flags.
  private(set) var withValue: Set<String> = []
  /// Those that take a number, with its kind.
  private(set) var kinds: [String: NumberKind] = [:]

  init(of type: any ParsableArguments.Type) {
    self.init(of: Mirror(reflecting: type.init()).children)
  }

  /// - Parameter members: properties of a command or a group.
  init(of members: some Sequence<Mirror.Child>) {
    for child in members {
      guard let label = child.label else { continue }
      let wrapper = Swift.type(of: child.value)
      if let group = wrapper as? any WrappedGroup.Type {
        let members = DeclaredOptions(of: group.members)
        names.formUnion(members.names)
        singleValued.formUnion(members.singleValued)
        withValue.formUnion(members.withValue)
        kinds.merge(members.kinds) { first, _ in first }
      } else if let option = wrapper as? any WrappedOption.Type {
        let name = Self.name(ofProperty: label)
        names.insert(name)
        if option.isSingleValued { singleValued.insert(name) }
        if option.takesValue { withValue.insert(name) }
        kinds[name] = option.kind
      }
    }
  }

  /// `--wait-for` for `_waitFor`, which is what a property wrapper is stored as.
  private static func name(ofProperty label: String) -> String {
    label.drop { $0 == "_" }.reduce("--") {
      $1.isUppercase ? "\($0)-\($1.lowercased())" : "\($0)\($1)"
    }
  }
}

private protocol WrappedGroup {
  static var members: any ParsableArguments.Type { get }
}

extension OptionGroup: WrappedGroup {
  static var members: any ParsableArguments.Type { Value.self }
}

private protocol WrappedOption {
  static var isSingleValued: Bool { get }
  static var takesValue: Bool { get }
  /// The kind of its number; `nil` if it takes none.
  static var kind: NumberKind? { get }
}

extension Option: WrappedOption {
  static var isSingleValued: Bool { !(Value.self is any Repeatable.Type) }
  static var takesValue: Bool { true }
  static var kind: NumberKind? { (Value.self as? any OptionNumber.Type)?.kind }
}

extension Flag: WrappedOption {
  static var isSingleValued: Bool { false }
  static var takesValue: Bool { false }
  static var kind: NumberKind? { nil }
}

/// A value that an option may have several of.
private protocol Repeatable {}

extension Array: Repeatable {}
