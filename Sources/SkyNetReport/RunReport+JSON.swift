import Foundation
import SkyNetCore
import SkyNetJournal
import SkyNetViews

extension RunReport {
  /// The version of the report's data, its member `v`.
  package static let version = 1

  /// The data as one object of JSON, in which no `<` occurs.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      writeHead(to: &json)
      json.list("systems", systems) { json, system in json.object { system.write(to: &$0) } }
      json.add("reasons", reasons)
      json.list("notices", notices) { json, notice in
        json.array { json in
          json.value(notice.at)
          json.value(notice.text)
          json.value(notice.isFault ? 1 : 0)
        }
      }
      json.add("noticesLeftOut", noticesLeftOut)
      json.list("failures", failures) { json, failure in
        json.object { json in
          failure.write(to: &json)
          writePlace(of: failure.task, to: &json)
        }
      }
      switch course {
      case .attempts(let rows): json.object("attempts") { Self.write(rows, to: &$0) }
      case .aggregate(let aggregate): json.object("aggregate") { aggregate.write(to: &$0) }
      }
      json.add("history", curve)
      json.object("summary") { summary.write(to: &$0) { writePlace(of: $0, to: &$1) } }
    }
    return json.bytes
  }

  /// The part that a task's sector belongs to, under the word for a part, and the sector's number within it.
  private func writePlace(of task: TaskID, to json: inout JSONWriter) {
    guard let place = places[task.sector] else { return }
    let word = scene.words.part.one
    json.key(word: word)
    json.value(place.name.cut)
    json.key(word: "sectorOf\(word.prefix(1).uppercased())\(word.dropFirst())")
    json.value(place.sector)
  }

  private func writeHead(to json: inout JSONWriter) {
    json.add("v", Self.version)
    json.add("kind", "report")
    json.add("software", software)
    json.add("program", ProgramName.text)
    json.add("name", name)
    json.add("journal", journal)
    json.add("run", run.map { "\($0)" })
    json.key("began")
    json.value((began * 1000).rounded() / 1000)
    json.add("length", length)
    json.add("end", end)
    json.add("sectors", sectorCount)
    json.add("fieldSectors", sectors)
    json.add("completed", completed)
    json.add("failed", failed)
    json.add("retried", retried)
    json.add("hedged", hedged)
    json.add("passes", passes)
    json.add("words", scene.words)
    json.list("processes", processes) { json, span in
      json.object { json in
        json.add("began", span.began)
        json.add("ended", span.ended)
      }
    }
    if !parts.isEmpty {
      json.list("parts", parts) { json, part in
        json.object { json in
          json.add("name", part.name.cut)
          json.add("first", part.sectors.lowerBound)
          json.add("sectors", part.sectors.count)
        }
      }
    }
    if let picture = scene.picture {
      // Readers of reports know the picture by this name.
      json.object("image") { json in
        json.add("width", picture.width)
        json.add("height", picture.height)
        json.add("scale", picture.scale)
        json.add("png", picture.png.base64EncodedString())
      }
    }
    if !scene.points.isEmpty {
      json.key(word: scene.words.point.many)
      json.object { write(scene.points, to: &$0) }
    }
    guard let grid = scene.grid else { return }
    json.object("grid") { json in
      json.add("columns", grid.columns)
      json.add("rows", grid.rows)
      json.add("side", grid.side)
    }
  }

  private func write(_ points: [Point], to json: inout JSONWriter) {
    func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
    json.list("x", points) { $0.value(tenths($1.x)) }
    json.list("y", points) { $0.value(tenths($1.y)) }
    json.list("flux", points) { $0.value(Float($1.strength)) }
    json.list("at", points) { $0.value(Int(min(max(0, ($1.at - began) * 1000), Double(length)))) }
  }

  private static func write(_ rows: [AttemptRow], to json: inout JSONWriter) {
    var last = 0
    json.list("began", rows) { json, row in
      json.value(row.began - last)
      last = row.began
    }
    json.add("took", rows.lazy.map(\.took))
    json.add("sector", rows.lazy.map(\.task.sector))
    json.column("pass", rows.lazy.map(\.task.pass))
    json.column("attempt", rows.lazy.map(\.ordinal))
    json.column("system", rows.lazy.map(\.system))
    json.column("ending", rows.lazy.map(\.ending))
    json.column("reason", rows.lazy.map(\.reason))
    json.column("hedge", rows.lazy.map { $0.isHedge ? 1 : 0 })
    json.column("ends", rows.lazy.map { $0.endsSector ? 1 : 0 })
  }
}

extension RunReport.System {
  fileprivate func write(to json: inout JSONWriter) {
    json.add("name", name)
    json.add("slots", slots)
    json.add("address", address)
    json.add("version", version)
    json.list("presence", changes) { json, change in
      json.array { json in
        json.value(change.at)
        json.value(change.word)
        json.value(change.note)
      }
    }
  }
}

extension RunReport.Failure {
  fileprivate func write(to json: inout JSONWriter) {
    json.add("sector", task.sector)
    json.add("pass", task.pass)
    json.add("at", at)
    json.add("attempts", attempts)
    json.list("reasons", reasons) { json, reason in
      json.array { json in
        json.value(reason.system)
        json.value(reason.reason)
      }
    }
  }
}

extension RunReport.Aggregate {
  fileprivate func write(to json: inout JSONWriter) {
    json.add("step", step)
    json.add("buckets", buckets)
    json.add("sectorsPerCell", sectorsPerCell)
    json.list("cells", cells) { json, cells in
      json.object { json in
        json.add("began", cells.began)
        json.add("middle", cells.middle)
        json.add("ended", cells.ended)
        json.column("done", cells.done)
        json.column("failed", cells.failed)
        json.add("system", cells.system)
      }
    }
    json.add("timelineBuckets", timelineBuckets)
    json.add("timelineStep", timelineStep)
    json.list("timeline", timeline) { json, line in
      json.object { json in
        json.add("done", line.done)
        json.add("failed", line.failed)
        json.add("lost", line.lost)
        json.add("withdrawn", line.withdrawn)
        json.add("busy", line.busy.lazy.map { Int(($0 * 10 / Double(timelineStep)).rounded()) })
      }
    }
  }
}

extension RunReport.Summary {
  /// - Parameter writePlace: adds the part that a task's sector belongs to.
  fileprivate func write(
    to json: inout JSONWriter, _ writePlace: (TaskID, inout JSONWriter) -> Void
  ) {
    json.add("makespan", makespan)
    json.add("ideal", ideal)
    json.add("idealText", idealText)
    json.add("busy", busy)
    json.add("wasted", wasted)
    json.add("idle", idle)
    json.add("reading", reading)
    json.list("slowestSectors", slowestSectors) { json, slow in
      json.object { json in
        json.add("sector", slow.task.sector)
        writePlace(slow.task, &json)
        json.add("pass", slow.task.pass)
        json.add("attempt", slow.ordinal)
        json.add("system", slow.system)
        json.add("at", slow.at)
        json.add("took", slow.took)
      }
    }
    json.list("systems", systems) { json, system in
      json.object { json in
        json.add("system", system.system)
        json.add("tasks", system.tasks)
        json.add("retried", system.retried)
        json.add("lost", system.lost)
        json.add("mean", system.mean)
        json.add("slowest", system.slowest)
        json.add("busy", system.busy)
        json.add("idle", system.idle)
        json.add("present", system.present)
      }
    }
    json.list("retries", retries) { json, retry in
      json.object { json in
        json.add("sector", retry.task.sector)
        writePlace(retry.task, &json)
        json.add("pass", retry.task.pass)
        json.add("attempts", retry.attempts)
        json.key("done")
        json.value(retry.isDone)
        json.add("at", retry.at)
      }
    }
    json.list("reasons", reasons) { json, reason in
      json.object { json in
        json.add("reason", reason.reason)
        json.add("count", reason.count)
      }
    }
  }
}
