extension [String] {
  /// The texts as people list them: `a`, `a and b`, `a, b and c`.
  package var joinedByAnd: String {
    guard let last, count > 1 else { return joined() }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
