import Foundation
import Testing

/// A `curl` that reads the events of a page.
struct EventStream {
  static let curl = "/usr/bin/curl"
  static let isThere = FileManager.default.isExecutableFile(atPath: curl)

  let process: RunningProcess

  /// - Parameter page: the page's address with its token.
  init(of page: String, on stage: Stage) throws {
    let address = page.replacingOccurrences(of: "/?token=", with: "/events?token=")
    process = try stage.launch(Self.curl, ["--no-buffer", "--silent", "--show-error", address])
  }

  /// Waits for an event of this name whose data contain the text.
  func event(_ name: String, containing text: String = "") async throws {
    _ = try await process.output { lines in
      zip(lines, lines.dropFirst()).contains {
        $0 == "event: \(name)" && $1.hasPrefix("data: ") && (text.isEmpty || $1.contains(text))
      }
    }
  }

  /// Waits until the stream ends, and returns what it told.
  func told() async throws -> Told {
    let story = try await process.end()
    return try Told(story.output)
  }

  /// What the events of a stream tell, put together as the page does it.
  struct Told {
    private(set) var counts: [String: Int] = [:]
    private(set) var state: [String: Any] = [:]
    /// How many sectors of each cell are completed.
    private(set) var completed: [Int: Int] = [:]
    private(set) var sources = 0
    private(set) var skippedAttempts = 0
    private(set) var lostNotices = 0
    private(set) var notices: [String] = []

    init(_ lines: [String]) throws {
      var name = ""
      for line in lines {
        if line.hasPrefix("event: ") { name = String(line.dropFirst("event: ".count)) }
        // The last line of a stream that was cut off may not be whole.
        guard line.hasPrefix("data: "),
          let data = try? JSONSerialization.jsonObject(
            with: Data(line.dropFirst("data: ".count).utf8)) as? [String: Any]
        else { continue }
        take(name, data)
      }
    }

    private mutating func take(_ name: String, _ data: [String: Any]) {
      counts[name, default: 0] += 1
      switch name {
      case "state": state = data
      case "cells":
        let numbers = data["cells"] as? [Int] ?? []
        for first in stride(from: 0, to: numbers.count, by: 6) {
          completed[numbers[first]] = numbers[first + 1]
        }
      case "attempts": skippedAttempts += data["skipped"] as? Int ?? 0
      case "sources": sources += (data["sources"] as? [NSNumber] ?? []).count / 3
      case "notices":
        lostNotices += data["lost"] as? Int ?? 0
        let list = data["notices"] as? [[String: Any]] ?? []
        notices += list.compactMap { $0["text"] as? String }
      default: break
      }
    }

    /// The figure of each system in the last state.
    func figures(_ key: String) -> [String: Int] {
      let systems = state["systems"] as? [[String: Any]] ?? []
      return systems.reduce(into: [:]) { figures, system in
        figures[system["name"] as? String ?? ""] = system[key] as? Int
      }
    }
  }
}

extension RunningProcess {
  /// Waits for the line that says where the page is, and returns the page's address.
  func page() async throws -> String {
    String(try await line("page: http://").dropFirst("page: ".count))
  }
}
