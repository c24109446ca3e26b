import CSodium

/// The library libsodium.
enum Sodium {
  private static let isReady = sodium_init() >= 0

  /// Initialises libsodium at the first call; to be called before any other function of it.
  static func prepare() {
    precondition(isReady, "libsodium cannot be used on this machine")
  }
}
