import CSodium

enum Sodium {
  private static let isReady = sodium_init() >= 0

  /// What libsodium asks for before anything else is called.
  static func prepare() {
    precondition(isReady, "libsodium cannot be used on this machine")
  }
}
