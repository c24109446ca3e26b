import Foundation
import Testing

/// A terminal in which a test runs commands, and whose screen it reads: one pane of tmux, which is a terminal
/// of its own and not a model of one.
struct Tmux {
  static let missing: Comment = "needs tmux: apt-get install tmux"

  static var isThere: Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/tmux")
    }
  }

  /// The screen's size.
  struct Size: Hashable, CustomTestStringConvertible {
    let columns: Int
    let rows: Int

    var testDescription: String { "\(columns) × \(rows)" }
  }

  private let stage: Stage
  private let socket: String

  /// Runs a line of shell in a terminal of this size, and the test beside it. The terminal stays after the line's
  /// end, so that its screen can be read, and is closed after the test.
  static func with(
    _ stage: Stage, _ size: Size, _ line: String, test: (Tmux) async throws -> Void
  ) async throws {
    let tmux = Tmux(stage: stage, socket: stage.file("tmux-\(UUID().uuidString.prefix(8))"))
    try await tmux.command(
      "new-session", "-d", "-x", "\(size.columns)", "-y", "\(size.rows)",
      "\(line); echo \"ended with $?\"; exec sleep 3600")
    let result: Result<Void, any Error>
    do {
      result = .success(try await test(tmux))
    } catch {
      let screen = (try? await tmux.everything().joined(separator: "\n")) ?? ""
      result = .failure(Unexpected("\(error)\nThe terminal showed:\n\(screen)"))
    }
    _ = try? await tmux.command("kill-server")
    try result.get()
  }

  @discardableResult
  private func command(_ words: String...) async throws -> [String] {
    let story = try await stage.launch(
      "/usr/bin/env", ["tmux", "-u", "-S", socket, "-f", "/dev/null"] + words
    ).end()
    guard story.status == 0 else { throw Unexpected("tmux \(words): \(story.errors)") }
    return story.output
  }

  /// The lines that the window shows.
  func screen() async throws -> [String] { try await command("capture-pane", "-p") }

  /// The lines that the window shows, with their colours as control sequences.
  func coloredScreen() async throws -> [String] { try await command("capture-pane", "-p", "-e") }

  /// All lines, also those that have scrolled out of the window. A line that wrapped is one line.
  func everything() async throws -> [String] {
    try await command("capture-pane", "-p", "-J", "-S", "-")
      .map { $0.replacing(/\ +$/, with: "") }
  }

  func press(_ keys: String...) async throws {
    for key in keys { try await command("send-keys", key) }
  }

  func resize(to size: Size) async throws {
    try await command(
      "resize-window", "-x", "\(size.columns)", "-y", "\(size.rows)")
  }

  /// Looks at the screen, again and again, until it is as wanted, and returns it.
  @discardableResult
  func screen(where isWanted: ([String]) -> Bool) async throws -> [String] {
    let deadline = ContinuousClock.now + .ample
    while ContinuousClock.now < deadline {
      let screen = try await screen()
      if isWanted(screen) { return screen }
    }
    throw Unexpected("the screen was never as wanted")
  }

  /// The same, until one of its lines contains the text.
  @discardableResult
  func screen(showing text: String) async throws -> [String] {
    try await screen { $0.contains { $0.contains(text) } }
  }

  /// Looks at all lines, again and again, until one contains the text: in a small window it may have scrolled out
  /// by the time a busy machine looks.
  func history(showing text: String) async throws {
    let deadline = ContinuousClock.now + .ample
    while ContinuousClock.now < deadline {
      if try await everything().contains(where: { $0.contains(text) }) { return }
    }
    throw Unexpected("no line ever contained \"\(text)\"")
  }
}
