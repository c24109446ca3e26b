import SkyNetCluster
import SkyNetCore
import SkyNetViews

extension RunNews {
  /// Writes the events `state`, `history`, `cells`, `attempts`, `failures`, `notices`, and those of parts and points, which have
  /// their words as names. Events without news are left out. The page `docs/web.md` describes them.
  func write(to events: inout EventBytes, of feed: RunFeed) {
    guard isNews else { return }
    events.add("state") { line in
      figures.write(
        to: &line, at: time, inFlight: systems.reduce(0) { $0 + $1.inFlight }, in: feed.words)
      if let ending { line.add(ending) }
      line.add(picture: feed.picture)
      line.add(grid: feed.grid)
      line.add(key: "systems")
      line.add(systems.enumerated()) { line, system in
        system.element.write(
          to: &line, row: system.offset, localSlots: feed.localSlots, began: figures.began,
          at: time)
      }
      line.add(syntax: "}")
    }
    events.add("history") { $0.add(curve.now.changes(after: curve.told, until: curve.end)) }
    if !parts.isEmpty {
      let word = feed.words.part.many
      events.add(word) { line in
        line.add(syntax: "{")
        line.add(word: word, isFirst: true)
        line.add(parts) { line, part in
          line.add(syntax: "{")
          line.add(key: "name", part.name, isFirst: true)
          line.add(key: "first", part.sectors.lowerBound)
          line.add(key: "sectors", part.sectors.count)
          line.add(syntax: "}")
        }
        line.add(syntax: "}")
      }
    }
    if !cells.isEmpty {
      events.add("cells") { line in
        line.add(syntax: #"{"cells":"#)
        line.add(cells) { $1.write(to: &$0) }
        line.add(syntax: "}")
      }
    }
    events.add("attempts") { line in
      line.add(syntax: #"{"inFlight":"#)
      line.add(inFlight) { line, entry in
        line.add(entry.key, entry.flight)
        line.add(syntax: entry.flight.isHedge ? ",1" : ",0")
      }
      line.add(key: "ended")
      line.add(ended) { line, entry in
        line.add(entry.key, entry.flight)
        line.add(syntax: ",")
        line.add(microsecondsOf: entry.ended)
        line.add(syntax: ",")
        line.add(number: Int(entry.ending.rawValue))
        line.add(syntax: entry.flight.isHedge ? ",1" : ",0")
      }
      line.add(key: "skipped", skipped)
      line.add(syntax: "}")
    }
    writeLists(to: &events, in: feed.words)
  }

  private func writeLists(to events: inout EventBytes, in words: RunWords) {
    if !failures.isEmpty {
      events.add("failures") { line in
        line.add(syntax: #"{"failures":"#)
        line.add(failures) { $0.add($1, in: words) }
        line.add(syntax: "}")
      }
    }
    if !points.isEmpty {
      events.add(words.point.many) { line in
        line.add(syntax: "{")
        line.add(word: words.point.many, isFirst: true)
        line.add(points) { $0.add(microsecondsOf: Double($1)) }
        line.add(syntax: "}")
      }
    }
    if !notices.isEmpty || lostNotices > 0 { events.add(notices, lost: lostNotices) }
  }
}

extension EventBytes {
  mutating func add(_ notices: ArraySlice<Notices.Notice>, lost: Int) {
    add("notices") { line in
      line.add(syntax: #"{"notices":"#)
      line.add(notices) { line, notice in
        line.add(syntax: "{")
        line.add(key: "number", notice.number, isFirst: true)
        line.add(key: "time", notice.time)
        line.add(key: "text", notice.text)
        line.add(key: "fault", isTrue: notice.isFault)
        line.add(syntax: "}")
      }
      line.add(key: "lost", lost)
      line.add(syntax: "}")
    }
  }
}

extension RunNews.Figures {
  /// Writes the object's first members, and leaves it open.
  fileprivate func write(
    to line: inout PlainJSON, at time: Double, inFlight: Int, in words: RunWords
  ) {
    line.add(syntax: "{")
    line.add(key: "time", time, isFirst: true)
    line.add(key: "run", run?.description)
    line.add(key: "name", name)
    line.add(key: "began", began)
    line.add(key: "end", end)
    line.add(key: "sectors", sectors)
    line.add(key: "completed", completed)
    line.add(key: "failed", failed)
    line.add(key: "restored", restored)
    line.add(key: "retried", retried)
    line.add(key: "hedged", hedged)
    line.add(key: "inFlight", inFlight)
    line.add(key: "rate", rate)
    line.add(key: "secondsLeft", secondsLeft)
    line.add(key: "pass", pass)
    line.add(key: "passes")
    line.add(passes) { $0.add(string: $1) }
    line.add(key: "fieldSectors", fieldSectors)
    line.add(key: "sectorsPerCell", sectorsPerCell)
    if let parts { line.add(parts, as: words.part.many) }
  }
}

extension RunNews.CellChange {
  fileprivate func write(to line: inout PlainJSON) {
    line.add(number: index)
    for number in [
      Int(cell.completed), Int(cell.failed), Int(cell.inFlight), Int(cell.system), Int(cell.pass),
    ] {
      line.add(syntax: ",")
      line.add(number: number)
    }
  }
}

extension PlainJSON {
  fileprivate mutating func add(_ key: AttemptRecord.Key, _ flight: AttemptRecord.Flight) {
    for number in [key.task.sector, key.task.pass, flight.attempt, key.system] {
      add(number: number)
      add(syntax: ",")
    }
    add(microsecondsOf: flight.began)
  }

  fileprivate mutating func add(_ failure: SectorFailure, in words: RunWords) {
    add(syntax: "{")
    add(key: "sector", failure.sector, isFirst: true)
    add(key: "pass", failure.pass)
    add(key: "attempts", failure.attempts)
    add(key: "reasons", failure.failures)
    if let part = failure.part { add(word: words.part.one, part) }
    add(syntax: "}")
  }

  fileprivate mutating func add(_ parts: RunNews.Parts, as word: String) {
    let progress = parts.progress
    add(word: word)
    add(syntax: "{")
    add(key: "known", progress.begun, isFirst: true)
    add(key: "total", progress.total)
    add(key: "done", progress.ended - progress.failed)
    add(key: "failed", progress.failed)
    add(key: "now")
    add(parts.inFlight) { $0.add(string: $1) }
    add(syntax: "}")
  }

  fileprivate mutating func add(_ ending: RunEnding) {
    add(key: "summary", ending.summary)
    add(key: "files")
    add(ending.documents) { line, document in
      line.add(syntax: "{")
      line.add(key: "kind", document.kind.rawValue, isFirst: true)
      line.add(key: "name", document.name)
      line.add(key: "url", document.url)
      line.add(syntax: "}")
    }
  }

  fileprivate mutating func add(picture: PagePicture?) {
    // Readers of the events know the picture by this name.
    add(key: "image")
    guard let picture else { return add(syntax: "null") }
    let version = picture.version()
    guard version > 0 else { return add(syntax: "null") }
    add(syntax: "{")
    add(key: "width", picture.width, isFirst: true)
    add(key: "height", picture.height)
    add(key: "scale", picture.scale)
    add(key: "version", version)
    add(syntax: "}")
  }

  fileprivate mutating func add(grid: PictureGrid?) {
    add(key: "grid")
    guard let grid else { return add(syntax: "null") }
    add(syntax: "{")
    add(key: "columns", grid.columns, isFirst: true)
    add(key: "rows", grid.rows)
    add(key: "side", grid.side)
    add(syntax: "}")
  }
}
