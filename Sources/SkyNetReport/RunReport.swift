package import SkyNetCore
package import SkyNetJournal
package import SkyNetViews

package import struct Foundation.Data

/// What is told of a run afterwards, made of its journal: enough to show any moment of it, and what was slow
/// and why. Its size is bounded: beyond ``attemptLimit`` attempts, times are aggregated.
///
/// Times are whole milliseconds since ``began``, unless their name says otherwise.
package struct RunReport: Sendable {
  /// The most sectors, and the most attempts, that are told one by one.
  package static let sectorLimit = 100_000
  package static let attemptLimit = 200_000
  package static let noticeLimit = 2000
  package static let failureLimit = 2000
  /// The page has no more names.
  package static let partLimit = 20_000
  package static let presenceLimit = 10_000
  package static let reasonLimit = 1000
  /// The most systems with a row of their own. Those beyond share the last one.
  package static let systemLimit = 1000
  /// The most points on the picture; the strongest are told.
  package static let pointLimit = 20_000
  /// The most characters of a reason, which may have the end of a program's standard error.
  package static let reasonTextLimit = 4400
  /// The most characters of a note or a notice.
  package static let textLimit = 300

  /// A time from one moment to another; it has no end if the journal has none.
  package struct Span: Hashable, Sendable {
    package let began: Int
    package let ended: Int?
  }

  /// All systems of one name.
  package struct System: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
      package let at: Int
      package let word: String
      package let note: String
    }

    package let name: String
    package var slots: Int?
    package var address: String?
    package var version: String?
    package var changes: [Change] = []
  }

  package struct Notice: Hashable, Sendable {
    package let at: Int
    package let text: String
    package let isFault: Bool
  }

  /// A sector that was given up.
  package struct Failure: Hashable, Sendable {
    package struct Reason: Hashable, Sendable {
      package let system: Int
      package let reason: Int
    }

    package let task: TaskID
    package let at: Int
    package let attempts: Int
    package let reasons: [Reason]
  }

  /// What the run's workload adds to a report.
  package struct Scene: Sendable {
    package var words = RunWords()
    package var picture: Picture?
    /// How the sectors lie on the picture.
    package var grid: PictureGrid?
    package var points: [Point] = []

    package init(words: RunWords = RunWords()) { self.words = words }
  }

  /// A small picture of what was scanned.
  package struct Picture: Hashable, Sendable {
    /// The size of the scene, and how many of its units a dot of the picture stands for along each axis.
    package let width: Int
    package let height: Int
    package let scale: Int
    package let png: Data

    package init(width: Int, height: Int, scale: Int, png: Data) {
      (self.width, self.height, self.scale, self.png) = (width, height, scale, png)
    }
  }

  /// A point on the picture.
  package struct Point: Hashable, Sendable {
    /// Its place in the scene's units, of which the first has its middle at 1, 1, and y grows upwards.
    package let x: Double
    package let y: Double
    package let strength: Double
    /// When it was found, in seconds since 1970.
    package let at: Double

    package init(x: Double, y: Double, strength: Double, at: Double) {
      (self.x, self.y, self.strength, self.at) = (x, y, strength, at)
    }
  }

  /// What happened when.
  package enum Course: Sendable {
    case attempts([AttemptRow])
    case aggregate(Aggregate)
  }

  /// One attempt. The system and the reason are indices; a reason of -1 is none.
  package struct AttemptRow: Hashable, Sendable {
    package var began: Int
    /// -1 if the attempt is in flight. One without an end in the journal ended with its process, and was lost.
    package var took: Int
    package var task: TaskID
    package var ordinal: Int
    package var system: Int
    package var ending: Int
    package var reason: Int
    package var isHedge: Bool
    package var endsSector: Bool
  }

  package var software = ""
  package var name = ""
  /// The journal's name, as the replay command should have it.
  package var journal = ""
  package var run: RunID?
  /// Seconds since 1970.
  package var began = 0.0
  /// From ``began`` to the last thing that the journal knows.
  package var length = 0
  /// `done`, `interrupted`, or `unfinished`.
  package var end = ""
  /// How the parts of a growing job ended; `nil` if the job does not grow.
  package var partsOverview: PartsOverview?
  /// The parts, by their sectors, as far as the page is to name them: at most ``partLimit``.
  package var parts: [JobPart] = []
  /// The parts of those sectors that the report names one by one.
  package var places: [Int: PartPlace] = [:]
  /// The sectors' numbers are less than this.
  package var sectors = 0
  /// How many sectors there are: fewer than ``sectors`` if a part was dropped.
  package var sectorCount = 0
  package var completed = 0
  /// The sectors that were given up, and the attempts that were tried again.
  package var failed = 0
  package var retried = 0
  package var hedged = 0
  package var passes: [String] = []
  package var processes: [Span] = []
  package var scene = Scene()
  package var systems: [System] = []
  package var reasons: [String] = []
  package var notices: [Notice] = []
  package var noticesLeftOut = 0
  package var failures: [Failure] = []
  package var course = Course.attempts([])
  /// The run over its whole time.
  package var curve = RunCurve(start: 0)
  package var summary = Summary()
}

extension RunReport {
  /// What was slow, and why.
  package struct Summary: Sendable {
    /// An attempt that took long.
    package struct SlowSector: Hashable, Sendable {
      package let task: TaskID
      package let ordinal: Int
      package let system: Int
      package let at: Int
      package let took: Int
    }

    package struct SystemFigures: Hashable, Sendable {
      package var system = 0
      package var tasks = 0
      /// The attempts there that came to nothing and were handed out again; all systems' are ``RunReport/retried``.
      package var retried = 0
      package var lost = 0
      /// The mean time of a scan that brought an output, and the longest.
      package var mean = 0
      package var slowest = 0
      /// Slots together: in scans, empty, and there.
      package var busy = 0
      package var idle = 0
      package var present = 0
    }

    /// A task that was tried several times.
    package struct Retry: Hashable, Sendable {
      package let task: TaskID
      package let attempts: Int
      package let isDone: Bool
      /// When the last of its attempts without an output ended.
      package let at: Int
    }

    package struct ReasonCount: Hashable, Sendable {
      package let reason: Int
      package let count: Int
    }

    /// How long processes of the run ran, together.
    package var makespan = 0
    /// How long the scans that brought outputs would have taken, spread evenly over the slots that were there.
    package var ideal = 0
    package var idealText = ""
    package var busy = 0
    package var wasted = 0
    package var idle = 0
    /// Sentences of what was slow and why, the most important first.
    package var reading: [String] = []
    package var slowestSectors: [SlowSector] = []
    package var systems: [SystemFigures] = []
    package var retries: [Retry] = []
    package var reasons: [ReasonCount] = []
  }
}
