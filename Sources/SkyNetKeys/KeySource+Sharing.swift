extension KeySource {
  /// What a person should know where this machine has a shared file and this account a key of its own: which of
  /// the two counts. `nil` where there is only one.
  package func sharingNote(
    own: @autoclosure () throws -> KeyFile = try KeySource.ownFile(), shared: KeyFile = .shared
  ) -> String? {
    switch self {
    case .own:
      guard let remedy = shared.remedyForStrangers else { return nil }
      return
        "this machine's own node has its key in \(shared.path), which is not this account's to read. "
        + remedy
    case .shared(let file):
      guard let own = try? own(), let keys = try? own.readAll(), let held = try? file.readAll(),
        Set(keys.all).isDisjoint(with: held.all)
      else { return nil }
      return "the key of this machine counts, \(held) in \(file.path), and not this account's own, "
        + "\(keys) in \(own.path): --key-file names that"
    case .named, .environment: return nil
    }
  }

  /// A hint for users who change or hand out their account's own key where there is a machine's key.
  package func ownKeyNote(shared: KeyFile = .shared) -> String? {
    guard case .own(let file) = self, shared.access == .denied else { return nil }
    return
      "this is about this account's own key, in \(file.path), and not about that of this machine's node, in "
      + "\(shared.path): for that one, begin the command with sudo"
  }
}
