import Foundation
import SkyFITS
import SkyFiles
import SkyNetCluster
import SkyNetCommand
import SkyNetCore

/// The FITS files of a directory, each as soon as it is complete: first those that are there, in the
/// order of their names, then others as they come. Subfolders are not followed. See
/// ``FrameArrivals`` for what is complete, and ``FrameName`` for which names count.
///
/// The kernel tells what happens in the directory, and it is listed now and then in addition, as a
/// machine that shares it may write there. Where the kernel does not, it is listed more often.
///
/// One task at a time may ask for news. The directory is looked at only then: nothing runs between.
/// All looks block a thread of the directory's own.
actor FollowedDirectory {
  struct Settings {
    var arrivals = FrameArrivals.Settings()
    /// The news end when nothing has come or changed for this long; `nil`: never.
    var idleTimeout: Duration?
    /// How often the directory is listed beside the kernel's events, and without them.
    var listing = Duration.seconds(10)
    var listingWithoutEvents = Duration.seconds(2)
    var usesEvents = true
    /// Called once, when nothing is there any more but to wait for files to come.
    var waits: @Sendable () -> Void = {}
  }

  nonisolated let path: String
  private let settings: Settings
  private let clock: any ClusterClock
  private let queue = FITSQueue()
  private let bell = Bell()

  private var arrivals: FrameArrivals
  private var events: DirectoryEvents?
  private var identity: FileLocation.FileNumber?
  private var looks: [(name: ExactText, isClosed: Bool)] = []
  private var nextInLooks = 0
  private var nextListing: Instant?
  /// Whether the directory was listed once more after it had been idle for long enough.
  private var isListedForEnd = false
  private var hasToldOfWait = false
  /// What the looks since the last listing have cost.
  private var spent = Duration.zero
  /// Names that are no UTF-8, as ``OddName`` shows them.
  private var oddNames: Set<ExactText> = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(
    _ path: String, _ settings: Settings = Settings(), clock: any ClusterClock = SteadyClock()
  ) {
    self.path = path
    self.settings = settings
    self.clock = clock
    arrivals = FrameArrivals(settings.arrivals, at: clock.now)
  }

  /// Waits for the next news. After it was cancelled it may be called again: no news is lost.
  ///
  /// - Returns: `nil` when the directory was idle for the settings' ``Settings/idleTimeout``.
  /// - Throws: `CancellationError`; ``FollowError`` if there is no such directory any more.
  func next() async throws -> FollowNews? {
    while true {
      try Task.checkCancellation()
      if let (name, isClosed) = popLook() {
        if let news = look(at: name, isClosed: isClosed) { return named(news) }
        continue
      }
      try findLooks()
      guard looks.isEmpty else { continue }
      if let deadline = nextDeadline {
        isListedForEnd = false
        tellOfWait()
        try await pause(until: deadline)
      } else if isListedForEnd {
        isListedForEnd = false
        return nil
      } else {
        // What came since the last listing may be told by no event.
        isListedForEnd = true
        nextListing = clock.now
      }
    }
  }

  /// When a file last came or changed; at first, when this object was made.
  var lastChange: Instant { arrivals.lastChange }

  /// Whether the kernel tells what happens in the directory. Otherwise it is only listed.
  var hasEvents: Bool { events != nil }

  /// The files that have not become complete so far, by name.
  var unfinished: [UnfinishedFile] {
    let files = arrivals.unfinished + oddNames.sorted().map { ($0.text, OddName.fault) }
    return files.map { UnfinishedFile(path: path(of: $0.name), reason: $0.reason) }
  }

  // MARK: Looking

  private func popLook() -> (name: ExactText, isClosed: Bool)? {
    guard nextInLooks < looks.count else {
      looks = []
      nextInLooks = 0
      return nil
    }
    defer { nextInLooks += 1 }
    return looks[nextInLooks]
  }

  private func look(at name: ExactText, isClosed: Bool) -> FollowNews? {
    let begin = clock.now
    defer { spent += begin.duration(to: clock.now) }
    let file = path(of: name.text)
    guard let version = FileVersion(path: file) else {
      return arrivals.looked(at: name, nil, now: begin)
    }
    var extent: FITSExtent?
    if arrivals.needsExtent(of: name, version) {
      extent = FITSExtent(path: file)
      // The file was written between the two looks: the next one tells.
      if FileVersion(path: file) != version { extent = .short(needed: version.size + 1) }
    }
    return arrivals.looked(
      at: name, version, extent: extent, isClosed: isClosed,
      age: isFirstListing ? version.age : .zero,
      now: begin)
  }

  /// Files that were there before are not waited for if they have not been changed lately. Later
  /// ones can have any time, such as that of the file they are a copy of.
  private var isFirstListing = true

  /// Finds out which files are to be looked at: those to which something happened, those that are
  /// due, and at times all.
  private func findLooks() throws(FollowError) {
    let now = clock.now
    guard let nextListing else { return try begin(at: now) }
    isFirstListing = false
    let batch = events?.take()
    if batch?.isGone == true { throw FollowError(path: path, fault: "was removed or renamed") }
    looks = batch?.files ?? []
    if nextListing <= now || batch?.isIncomplete == true {
      try list(at: now)
    } else {
      looks += arrivals.due(now).map { ($0, false) }
    }
  }

  private func begin(at now: Instant) throws(FollowError) {
    if settings.usesEvents {
      // Before the listing, so that no file is missed between.
      events = DirectoryEvents(of: path, bell: bell)
    }
    try list(at: now)
  }

  private func list(at now: Instant) throws(FollowError) {
    let listing = try DirectoryListing(path)
    guard identity == nil || identity == listing.identity else {
      throw FollowError(path: path, fault: "was replaced by another directory")
    }
    identity = listing.identity
    oddNames = listing.oddNames
    arrivals.listed(Set(listing.names))
    let known = Set(looks.map(\.name))
    looks += listing.names.filter { !known.contains($0) }.map { ($0, false) }
    let interval = events == nil ? settings.listingWithoutEvents : settings.listing
    // Where looks are slow, as over a network, they take a twentieth of the time at most.
    nextListing = now + Swift.max(interval, spent * 20)
    spent = now.duration(to: clock.now)
  }

  /// When to look again if nothing is told before; `nil` when the directory is idle.
  private var nextDeadline: Instant? {
    let now = clock.now
    var deadlines = [nextListing, arrivals.nextLook].compactMap(\.self)
    if let timeout = settings.idleTimeout {
      let end = arrivals.lastChange + timeout
      if now < end {
        deadlines.append(end)
      } else if !arrivals.isSettling {
        return nil
      }
    }
    return deadlines.min() ?? now
  }

  private func tellOfWait() {
    guard !hasToldOfWait else { return }
    hasToldOfWait = true
    settings.waits()
  }

  private func pause(until deadline: Instant) async throws {
    let (clock, bell) = (clock, bell)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await clock.sleep(until: deadline, tolerance: nil) }
      group.addTask { try await bell.wait() }
      try await group.next()
      group.cancelAll()
    }
  }

  // MARK: Names

  private func named(_ news: FollowNews) -> FollowNews {
    switch news {
    case .frame(let name): .frame(path(of: name))
    case .rewritten(let name): .rewritten(path(of: name))
    case .again(let name, let former): .again(path(of: name), formerly: path(of: former))
    }
  }

  private func path(of name: String) -> String {
    path.appendingName(name)
  }
}

extension FollowedDirectory: AsyncSequence {
  struct Iterator: AsyncIteratorProtocol {
    let directory: FollowedDirectory

    func next() async throws -> FollowNews? { try await directory.next() }
  }

  nonisolated func makeAsyncIterator() -> Iterator { Iterator(directory: self) }
}
