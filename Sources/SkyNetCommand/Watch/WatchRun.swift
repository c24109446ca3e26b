import ArgumentParser
import Foundation
import SkyNetCluster
import SkyNetViews
import UnixSignals

/// `skynet watch` while it is connected: what it shows, and until when.
struct WatchRun {
  private enum Event: Sendable {
    case polled
    case keys([UInt8])
    /// The window has another size, or the process was stopped and goes on.
    case changed(isContinued: Bool)
    case stop(ExitCode)
  }

  private let watcher: ClusterWatcher
  private let log: WatchLog

  init(_ cluster: Cluster, every interval: Duration, log: WatchLog) {
    watcher = ClusterWatcher(cluster, every: interval)
    self.log = log
  }

  /// What is known of the cluster now.
  var view: ClusterView { watcher.view }

  /// Adds a notice.
  func note(_ text: String) { watcher.note(text, isFault: false) }

  // MARK: On a screen

  /// Draws the cluster until the user leaves. The terminal is then as it was before.
  ///
  /// - Returns: the exit status of a signal; `nil` if the user left by a key.
  func fill(_ screen: FullScreen) async -> ExitCode? {
    let (events, post) = AsyncStream.makeStream(of: Event.self)
    // Before the terminal is changed, so that no signal leaves it so.
    Signals.trap()
    let changes = await UnixSignalsSequence(trapping: .sigwinch, .sigcont)
    defer { screen.leave() }
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { await watcher.run { _ in post.yield(.polled) } }
      group.addTask { for await bytes in screen.keys { post.yield(.keys(bytes)) } }
      group.addTask {
        for await signal in changes {
          post.yield(.changed(isContinued: signal == .sigcont))
        }
      }
      group.addTask {
        await Signals.watch { _, status in
          post.yield(.stop(status))
          return false
        }
      }
      defer { group.cancelAll() }
      return await draw(events, on: screen)
    }
  }

  private func draw(_ events: AsyncStream<Event>, on screen: FullScreen) async -> ExitCode? {
    var state = WatchState()
    var isEntered = false
    for await event in events {
      switch event {
      case .stop(let status): return status
      case .keys(let bytes):
        for key in Key.keys(bytes) where !state.press(key, in: watcher.view) {
          return key == .interrupt ? .interrupted : nil
        }
      case .changed(let isContinued): if isContinued, isEntered { screen.enter() }
      case .polled:
        for message in log.take() { watcher.note(message.text, isFault: message.isFault) }
        if !isEntered { screen.enter() }
        isEntered = true
      }
      guard isEntered else { continue }
      screen.show(WatchScreen(view: watcher.view, window: screen.window).lines(&state))
    }
    return nil
  }

  // MARK: In plain text

  /// Prints a report after each poll but the first, which finds nothing yet, until a signal.
  ///
  /// - Returns: the exit status of the signal.
  /// - Throws: ``OutputError``.
  func report() async throws -> ExitCode? {
    // A reader that is slow gets fewer reports.
    let (events, post) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(2))
    Signals.trap()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await watcher.run { _ in post.yield(.polled) } }
      group.addTask { await Console.standardError.run() }
      group.addTask {
        await Signals.watch { _, status in
          post.yield(.stop(status))
          // Later polls cannot push the stop out of the buffer.
          post.finish()
          return false
        }
      }
      defer { group.cancelAll() }
      var (seenNotices, isFirst) = (0, true)
      for await event in events {
        if case .stop(let status) = event { return status }
        defer { isFirst = false }
        if isFirst { continue }
        let view = watcher.view
        try StandardOutput.write(WatchReport(view: view, seenNotices: seenNotices).text + "\n")
        seenNotices = view.notices.count
      }
      return nil
    }
  }

  /// Prints one report after looking for systems for this long.
  ///
  /// - Throws: ``OutputError``.
  func reportOnce(after wait: Duration) async throws -> ExitCode? {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await watcher.run() }
      try? await Task.sleep(for: wait)
      group.cancelAll()
    }
    await watcher.poll()
    try StandardOutput.write(WatchReport(view: watcher.view, seenNotices: 0).text)
    return nil
  }
}
