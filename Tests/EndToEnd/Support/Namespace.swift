import Foundation
import Testing

/// A network namespace with only a loopback interface without IPv6. It ends with the stage, whose
/// processes hold it.
struct Namespace {
  static let impossible: Comment = "needs root, unshare and nsenter"

  static var isPossible: Bool { get async { await trial.value } }
  private static let trial = Task {
    guard geteuid() == 0 else { return false }
    return
      (try? await Stage.with { stage in
        _ = try await Namespace(stage, hasLink: true)
      }) != nil
  }

  private let stage: Stage
  private let holder: RunningProcess

  init(_ stage: Stage, hasLink: Bool) async throws {
    self.stage = stage
    let setUp =
      "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; \(hasLink ? "ip link set lo up;" : "") "
      + "test ! -s /proc/net/if_inet6 && echo made >&2; exec sleep 600"
    holder = try stage.launch("/bin/sh", ["-c", "exec unshare -n sh -c '\(setUp)'"])
    try await holder.line("made")
  }

  /// Runs a line of shell in the namespace.
  func launch(_ line: String) throws -> RunningProcess {
    try stage.launch(
      "/bin/sh", ["-c", "exec nsenter --net=/proc/\(holder.id)/ns/net \(line)"])
  }

  func run(_ line: String) async throws {
    let story = try await launch(line).end()
    guard story.status == 0 else { throw Unexpected("\(line): \(story.errors)") }
  }
}
