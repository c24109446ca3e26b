import SkyNetCommand

/// What a followed directory has to tell. Files are told by their paths.
enum FollowNews: Equatable, Sendable {
  /// A file that is complete. Each is told once.
  case frame(String)
  /// A file that was told of has other contents now, or was replaced. It is not told of again as a
  /// frame.
  case rewritten(String)
  /// A file is one that was told of under another name, to which it was renamed or linked.
  case again(String, formerly: String)
}

/// A file that never became complete.
struct UnfinishedFile: Hashable, Sendable {
  let path: String
  /// The rest of a sentence that begins with the path.
  let reason: String
}
