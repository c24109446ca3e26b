import SkyNetCluster
import SkyNetCore

/// How a journal records a change of a system.
extension SystemChange.Kind {
  enum Word: String, CaseIterable {
    case connected, disconnected, leaving, serving, silent, heard, paused, resumed, unsuited
  }

  /// `nil` for a new name, which takes the place of the former one.
  var word: Word? {
    switch self {
    case .renamed: nil
    case .connected: .connected
    case .disconnected: .disconnected
    case .leaving: .leaving
    case .serving: .serving
    case .silent: .silent
    case .heard: .heard
    case .paused: .paused
    case .resumed: .resumed
    case .unsuited: .unsuited
    }
  }
}
