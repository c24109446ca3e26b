package import SkyNetCluster

extension RunCurve {
  /// What a viewer has been told of a curve.
  package struct Cursor: Hashable, Sendable {
    var doublings = 0
    /// The bin that was the present one.
    var bin = 0
    var marks = 0

    package init() {}
  }

  /// What is told of the curve now.
  package var cursor: Cursor {
    var cursor = Cursor()
    (cursor.doublings, cursor.bin, cursor.marks) = (doublings, count - 1, marks.count)
    return cursor
  }

  /// The bins and the marks since a viewer was told, as they are now.
  package struct Changes: Sendable {
    package let start: Double
    package let step: Double
    package let first: Int
    package let bins: [(busy: Double, bin: Bin)]
    package let marks: [CurveMarks.Mark]
  }

  /// What has changed since a viewer was told; everything at first, and when bins have another length.
  ///
  /// - Parameter end: what the viewer is said to have been told then. Bins are told as they are now.
  package func changes(after cursor: Cursor = Cursor(), until end: Cursor? = nil) -> Changes {
    let first = cursor.doublings == doublings ? min(cursor.bin, count - 1) : 0
    return Changes(
      start: start, step: step, first: first,
      bins: (first..<count).map { (busy: busy(in: $0), bin: bin($0)) },
      marks: marks.latest(after: cursor.marks, until: end?.marks ?? marks.count))
  }
}

extension PlainJSON {
  /// Adds an object with `start`, `step`, `first`, `bins` and `marks`, as `docs/web.md` describes it.
  package mutating func add(_ changes: RunCurve.Changes) {
    add(syntax: #"{"start":"#)
    add(microsecondsOf: changes.start)
    add(syntax: #","step":"#)
    add(microsecondsOf: changes.step)
    add(key: "first", changes.first)
    add(key: "bins")
    add(changes.bins) { line, entry in
      line.add(syntax: "[")
      line.add(microsecondsOf: (entry.busy * 1000).rounded() / 1000)
      line.add(syntax: ",")
      line.add(number: entry.bin.retried)
      for share in entry.bin.done {
        line.add(syntax: ",")
        line.add(number: share.row)
        line.add(syntax: ",")
        line.add(number: share.tasks)
      }
      line.add(syntax: "]")
    }
    add(key: "marks")
    add(changes.marks) { line, mark in
      line.add(syntax: #"{"time":"#)
      line.add(microsecondsOf: mark.time)
      line.add(key: "kind", mark.kind.rawValue)
      if let row = mark.row { line.add(key: "system", row) }
      line.add(syntax: "}")
    }
    add(syntax: "}")
  }
}
