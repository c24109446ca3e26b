/// Decides which files in a rendezvous directory were left behind by nodes that died.
///
/// A file is removed if it was written long before this node's own file, by the file server's clock, and was not
/// written again from one look to the next. Clocks of several servers that differ cannot remove a file that is in
/// use: that is renewed between two looks. If one is removed all the same, as its node stood still, the node
/// writes it again.
struct OldEntries {
  private let age: Double
  private var suspects: [String: Double] = [:]

  /// - Parameter age: how old a file is at least, in seconds.
  init(age: Double) { self.age = age }

  /// The directory was looked at.
  ///
  /// - Parameters:
  ///   - times: when each file was written, in seconds.
  ///   - own: when this node's own file was.
  /// - Returns: the files to remove.
  mutating func looked(_ times: [String: Double], own: Double) -> [String] {
    let old = times.filter { own - $0.value > age }
    let removed = old.filter { suspects[$0.key] == $0.value }.keys.sorted()
    suspects = old
    return removed
  }
}
