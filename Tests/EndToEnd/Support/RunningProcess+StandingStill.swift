import Foundation

extension RunningProcess {
  /// Waits until this process has written what is wanted, and has it, or another one, stand still from then on, until
  /// SIGCONT: for tests that interrupt what would soon be over.
  ///
  /// A test may wait for a processor longer than the process needs to its end. So the thread that reads what the process
  /// writes stops it, and until then another process has it stand still for nine tenths of the time.
  ///
  /// - Parameter held: the process that is to stand still; with `nil`, this one.
  /// - Throws: ``Unexpected`` if this process ends without writing that, or the time is up.
  func standStill(
    _ held: RunningProcess? = nil, once isWanted: @escaping @Sendable (Story) -> Bool
  ) async throws {
    let held = held ?? self
    let brake = try RunningProcess(
      "/bin/sh",
      [
        "-c", "while kill -STOP $0; do sleep 0.09; kill -CONT $0; sleep 0.01; done 2>&-",
        "\(held.id)",
      ])
    story.whenFirst(isWanted) { _ in
      brake.send(SIGKILL)
      held.send(SIGSTOP)
    }
    do {
      try await story.value(within: .ample) { story in
        if isWanted(story) { return .success(()) }
        return story.isOver ? .failure(Unexpected("it ended before it wrote that")) : nil
      }
      _ = try await brake.end()
      // The brake may have had it go on in the moment in which it died.
      held.send(SIGSTOP)
    } catch {
      brake.send(SIGKILL)
      _ = try await brake.end()
      held.send(SIGCONT)
      throw Unexpected("\(error)\n\(account)")
    }
  }
}

extension RunningEngagement {
  /// Waits until a system has completed this many sectors; see ``RunningProcess/standStill(_:once:)``.
  func standStill(
    _ held: RunningProcess? = nil, after count: Int, by system: String
  ) async throws {
    try await process.standStill(held) { story in
      story.errors.count { $0.hasPrefix("completed ") && $0.hasSuffix(" by \(system)") } >= count
    }
  }
}
