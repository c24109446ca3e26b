import Foundation
import Logging
import Testing

@testable import SkyNetCommand

@Suite("Lines of the log")
struct LogLineTests {
  private let line = LogLine(
    level: .warning, label: "skynet.node", message: "a connection was refused",
    metadata: ["peer": "10.0.0.7", "reason": "no \"key\"\u{1B}[2J\u{9B}\n"])

  @Test("For people, the level comes first and the metadata last")
  func text() {
    #expect(line.text.hasPrefix("warning: a connection was refused (peer 10.0.0.7, reason no "))
    #expect(LogLine(level: .info, label: "x", message: "stopped").text == "info: stopped")
  }

  @Test("On a terminal the ids of runs are short, and whole elsewhere")
  func runs() {
    let line = LogLine(
      level: .info, label: "x", message: "m",
      metadata: ["run": "8dc6ea2003c6fca3", "sector": "8dc6ea2003c6fca3"])
    #expect(line.shortText == "info: m (run 8dc6ea20, sector 8dc6ea2003c6fca3)")
    #expect(line.text == "info: m (run 8dc6ea2003c6fca3, sector 8dc6ea2003c6fca3)")
    let other = LogLine(level: .info, label: "x", message: "m", metadata: ["run": "none at all"])
    #expect(other.shortText == other.text)
  }

  @Test("In JSON each is one object, without control characters")
  func json() throws {
    let text = line.json(at: Date(timeIntervalSince1970: 1_795_425_600.25))
    #expect(
      text
        == #"{"time":"2026-11-23T09:20:00.250Z","level":"warning","label":"skynet.node","#
        + #""message":"a connection was refused","peer":"10.0.0.7","#
        + #""reason":"no \"key\"\u001b[2J\u009b\n"}"#)
    let object = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    #expect(object["reason"] == "no \"key\"\u{1B}[2J\u{9B}\n")
  }

  @Test("Metadata of the object's own names, and of every type, is kept")
  func jsonMetadata() {
    let line = LogLine(
      level: .info, label: "x", message: "m",
      metadata: [
        "time": "noon", "list": ["a", "b"], "map": ["k": "v"], "number": .stringConvertible(7),
      ])
    #expect(
      line.json(at: Date(timeIntervalSince1970: 0)).hasSuffix(
        #""message":"m","list":["a","b"],"map":{"k":"v"},"number":"7","_time":"noon"}"#))
  }

  @Test(
    "For systemd's journal the priority comes first, and there is no time",
    arguments: [
      (Logger.Level.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3),
      (.critical, 2),
    ])
  func journald(level: Logger.Level, priority: Int) {
    let line = LogLine(level: level, label: "x", message: "a\nb", metadata: ["k": "v"])
    #expect(line.journald == "<\(priority)>a\\nb (k v)")
  }

  @Test("The journal is known by the device and inode of standard error, not by the variable alone")
  func journalStream() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    let right = "\(status.st_dev):\(status.st_ino)"
    #expect(LogFormat.isConnectedToJournal(descriptor, right))
    for wrong in [nil, "", ":", "1", "\(status.st_dev):0", right + ":1", " " + right, "a:b"] {
      #expect(!LogFormat.isConnectedToJournal(descriptor, wrong), "\(wrong ?? "none")")
    }
    #expect(!LogFormat.isConnectedToJournal(-1, right))
  }
}
