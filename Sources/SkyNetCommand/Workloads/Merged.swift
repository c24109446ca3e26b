import ArgumentParser

/// Two groups of options as one, to describe the command with the options of all workloads. It is never parsed.
///
/// Two workloads may have an option of the same name, of which a command line has one, and for which the parser has room
/// once. If it is all of a group in the second one, that group is left out.
struct Merged<First: ParsableArguments, Second: ParsableArguments>: ParsableArguments {
  init() {}

  /// Has all keys, as the parser's check in debug builds wants it.
  init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: AnyKey.self) }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// The parser finds options by reflection.
extension Merged: CustomReflectable {
  var customMirror: Mirror {
    let first = Array(Mirror(reflecting: First()).children)
    let known = DeclaredOptions(of: first).names
    let second = Mirror(reflecting: Second()).children.filter { child in
      let names = DeclaredOptions(of: [child]).names
      return names.isEmpty || !names.isSubset(of: known)
    }
    return Mirror(self, children: first + second, displayStyle: .struct)
  }
}
