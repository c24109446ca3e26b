import Foundation

extension RunningProcess {
  /// Slows the process down while `body` waits for something in the middle of what would soon be over: it stands still
  /// for nine tenths of the time. Afterwards it stands still until SIGCONT.
  func slowed(_ body: () async throws -> Void) async throws {
    // A process of its own, since a test may wait for a processor longer than the process needs to the end.
    let brake = try RunningProcess(
      "/bin/sh",
      [
        "-c", "while kill -STOP $0; do sleep 0.09; kill -CONT $0; sleep 0.01; done 2>&-", "\(id)",
      ])
    func stop() async throws {
      send(SIGSTOP)
      brake.send(SIGKILL)
      _ = try await brake.end()
      send(SIGSTOP)
    }
    do {
      try await body()
    } catch {
      try await stop()
      send(SIGCONT)
      throw error
    }
    try await stop()
  }
}
