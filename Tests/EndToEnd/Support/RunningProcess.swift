import Foundation
import TestSupport

/// A process that a test has started, with every line that it has written.
final class RunningProcess: Sendable {
  /// The output of a process up to now, and its end.
  struct Story: Sendable {
    var output: [String] = []
    /// The lines of standard error, without the times with which some begin.
    var errors: [String] = []
    /// The same as they were written.
    var timedErrors: [String] = []
    var openStreams = 2
    /// The exit status, or 128 plus the number of the signal that ended the process.
    var status: Int32?

    /// Whether the process has ended and its streams are closed.
    var isOver: Bool { status != nil && openStreams == 0 }
  }

  let command: String
  let id: pid_t
  let story = AwaitedValue(Story())

  /// Starts a program with these variables in addition to the tests' own.
  ///
  /// - Parameter unread: what takes its standard output, or its standard error; nobody reads that.
  init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    in folder: String? = nil, unread: (stream: Int32, descriptor: Int32)? = nil
  ) throws {
    let (output, errors) = (try makePipe(), try makePipe())
    // A backtrace would take seconds, and some processes are meant to die.
    let variables = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(environment) { $1 }
    let words = folder.map { ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, $0] } ?? []
    let line = words + [program] + arguments
    id = try spawn(
      line[0], Array(line.dropFirst()), variables,
      output: unread?.stream == STDOUT_FILENO
        ? unread!.descriptor : output.writing.fileDescriptor,
      errors: unread?.stream == STDERR_FILENO
        ? unread!.descriptor : errors.writing.fileDescriptor)
    try output.writing.close()
    try errors.writing.close()
    command = ([URL(fileURLWithPath: program).lastPathComponent] + arguments)
      .joined(separator: " ")
    Self.read(output.reading, of: story) { $0.output += $1 }
    Self.read(errors.reading, of: story) { story, lines in
      story.timedErrors += lines
      story.errors += lines.map(Self.withoutTime)
    }
    Self.awaitEnd(of: id, story)
  }

  /// Waits for the process's end, on a separate thread, since that blocks.
  private static func awaitEnd(of id: pid_t, _ story: AwaitedValue<Story>) {
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7f
      let ending = signal == 0 ? (status >> 8) & 0xff : 128 + signal
      story.change { $0.status = ending }
    }
  }

  /// Reads a stream on a separate thread, since that blocks.
  private static func read(
    _ stream: FileHandle, of story: AwaitedValue<Story>,
    adding: @escaping @Sendable (inout Story, _ lines: [String]) -> Void
  ) {
    Thread.detachNewThread {
      var rest = Data()
      while case let data = stream.availableData, !data.isEmpty {
        rest.append(data)
        var new: [String] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          new.append(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
        story.change { adding(&$0, new) }
      }
      story.change {
        if !rest.isEmpty { adding(&$0, [String(decoding: rest, as: UTF8.self)]) }
        $0.openStreams -= 1
      }
    }
  }

  /// Drops `2026-11-25T21:45:16Z ` before a line.
  private static func withoutTime(_ line: String) -> String {
    guard line.hasPrefix("2"), line.utf8.dropFirst(19).starts(with: "Z ".utf8) else { return line }
    return String(line.dropFirst(21))
  }

  var isRunning: Bool { story.state.status == nil }

  func send(_ signal: Int32) {
    // After the process was reaped, its id may belong to another one.
    if story.state.status == nil { kill(id, signal) }
  }

  /// The output up to now.
  var soFar: Story { story.state }

  /// Waits for lines on standard error that fulfil the condition, and returns the first `count` of
  /// them.
  ///
  /// - Throws: ``Unexpected`` if the process ends without writing them, or the time is up.
  @discardableResult
  func lines(
    _ count: Int, where isWanted: @escaping @Sendable (String) -> Bool,
    within limit: Duration = .ample
  ) async throws -> [String] {
    do {
      return try await story.value(within: limit) { story in
        let wanted = story.errors.filter(isWanted)
        if wanted.count >= count { return .success(Array(wanted.prefix(count))) }
        return story.isOver ? .failure(Unexpected("it ended before it wrote that")) : nil
      }
    } catch {
      throw Unexpected("\(error)\n\(account)")
    }
  }

  /// Waits until the lines on standard output fulfil the condition, and returns them.
  ///
  /// - Throws: ``Unexpected`` if the process ends before, or the time is up.
  @discardableResult
  func output(
    where isWanted: @escaping @Sendable ([String]) -> Bool, within limit: Duration = .ample
  ) async throws -> [String] {
    do {
      return try await story.value(within: limit) { story in
        if isWanted(story.output) { return .success(story.output) }
        return story.isOver ? .failure(Unexpected("it ended before it wrote that")) : nil
      }
    } catch {
      throw Unexpected("\(error)\n\(account)")
    }
  }

  /// Waits for a line on standard error that contains the text.
  @discardableResult
  func line(_ text: String, within limit: Duration = .ample) async throws -> String {
    try await lines(1, where: { $0.contains(text) }, within: limit)[0]
  }

  /// Waits for the process's end, and returns its output.
  func end(within limit: Duration = .ample) async throws -> Story {
    do {
      return try await story.value(within: limit) { $0.isOver ? .success($0) : nil }
    } catch {
      throw Unexpected("it did not end: \(error)\n\(account)")
    }
  }

  /// The command and its output, for the message of a failed test.
  var account: String {
    let story = story.state
    let lines = (story.output + story.errors).suffix(100).map { $0.prefix(1000) }
    return "$ \(command)\n" + lines.joined(separator: "\n")
      + "\n" + (story.status.map { "exit status \($0)" } ?? "still running")
  }
}

/// A process did not do what the test relies on.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
