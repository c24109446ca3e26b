import SkyDetection
import SkyFITS
package import SkyNetCore

/// The scan of many images in one engagement: a growing job whose parts are the images.
///
/// Each image's sectors follow those of the image before. An image has the tasks of its ``ImageJob``; one of a single
/// sector has one task in which all passes run, where its pixels are. The catalogue of each image is that of a scan of
/// the image alone. Once no task of an image is left, ``finished`` has it, and the night forgets it.
package struct NightJob: JobWithOutcomes, ReferringJob {
  package typealias Work = SourceScan

  package static let part = RunWords.Noun("image", "images")

  /// The settings of no image. Each task has its image's own.
  package let settings: SourceScan.Settings
  package let name: String
  /// The images whose tasks have all ended, in the order in which they were finished.
  package let finished: AsyncStream<FinishedImage>
  private let finishing: AsyncStream<FinishedImage>.Continuation
  private let supply: NightSupply
  private let facts: [JobIdentity.Fact]
  private let inOneTask: Bool
  private let countImages: @Sendable () -> Int?
  /// The images that have tasks, by the number of their parts. There are few at a time.
  private var images: [Int: NightImage] = [:]
  private var groupCount = 0
  /// The settings of the images so far, numbered; a camera's images have the same.
  private var settingsGroups: [SourceScan.Settings: Int] = [:]
  /// Why images could not be opened.
  private var unreadable: [Int: String] = [:]

  /// - Parameters:
  ///   - name: what is scanned, for people.
  ///   - supply: opens the images.
  ///   - facts: what the catalogues depend on, besides the images.
  ///   - inOneTask: whether an image of one sector is scanned in one task.
  ///   - count: how many images there will be; `nil` if that is not known.
  package init(
    name: String, supply: NightSupply, facts: [JobIdentity.Fact], inOneTask: Bool,
    count: @escaping @Sendable () -> Int?
  ) throws {
    self.name = name
    self.supply = supply
    self.facts = facts
    self.inOneTask = inOneTask
    countImages = count
    settings = SourceScan.Settings(
      grid: try SectorGrid(width: 64, height: 64, side: 64), coding: PixelCoding(format: .float32))
    (finished, finishing) = AsyncStream.makeStream(of: FinishedImage.self)
  }

  package var sectorCount: Int { 0 }
  package var expectedParts: Int? { countImages() }

  package func identity() async throws -> JobIdentity {
    JobIdentity(
      [JobIdentity.Fact("scan", "\(SourceScan.kind)"), .init("images", "a night of several")]
        + facts)
  }

  /// The engagement has ended: ``finished`` ends after the images that it holds.
  package func stopFinishing() { finishing.finish() }

  // MARK: Images

  package func nextPart() async throws -> JobPart? { try await supply.nextPart() }

  package mutating func add(_ part: JobPart) throws -> AddedPart {
    guard let opened = supply.take(part) else { return .ended }
    switch opened {
    case .success(let job):
      let image = NightImage(
        job, firstSector: part.sectors.lowerBound, inOneTask: inOneTask,
        settingsGroup: group(of: job.settings))
      images[part.number] = image
      return .tasks(image.firstTasks)
    case .failure(let error):
      unreadable[part.number] = error.reason
      return .failed(reason: error.reason)
    }
  }

  private mutating func group(of settings: SourceScan.Settings) -> Int {
    if let known = settingsGroups[settings] { return known }
    let group = groupCount
    groupCount += 1
    // Where each image has settings of its own, none is met again.
    if settingsGroups.count == 64 { settingsGroups.removeAll() }
    settingsGroups[settings] = group
    return group
  }

  package mutating func ended(_ part: JobPart) {
    let image = images.removeValue(forKey: part.number)
    let failure = image.map(\.failure) ?? unreadable.removeValue(forKey: part.number)
    finishing.yield(FinishedImage(part: part, image: image, failure: failure))
  }

  package func result(ofSector sector: Int, in part: JobPart) -> (any Encodable & Sendable)? {
    NightOutcome(part.outcome)?.counts?[safe: sector - part.sectors.lowerBound]
  }

  /// The open image that a task belongs to.
  private func image(of task: TaskID) throws -> (number: Int, image: NightImage) {
    guard let (number, image) = images.first(where: { $0.value.sectors.contains(task.sector) })
    else { throw InvalidScan("sector \(task.sector), which belongs to no open image") }
    return (number, image)
  }

  // MARK: Tasks

  package func settings(for task: TaskID) -> SourceScan.Settings {
    (try? image(of: task))?.image.job.settings ?? settings
  }

  package func settingsGroup(of task: TaskID) -> Int {
    (try? image(of: task))?.image.settingsGroup ?? -1
  }

  package func sector(for task: TaskID) async throws -> SourceScan.Sector {
    let image = try image(of: task).image
    return try await image.job.sector(for: image.local(task))
  }

  package func sector(
    for task: TaskID, on recipient: SectorRecipient
  ) async throws -> SourceScan.Sector {
    let image = try image(of: task).image
    return try await image.job.sector(for: image.local(task), on: recipient)
  }

  package func refused(
    _ refusal: SectorDataRefused, by recipient: SectorRecipient, for task: TaskID
  ) async {
    guard let image = try? image(of: task).image else { return }
    await image.job.refused(refusal, by: recipient, for: image.local(task))
  }

  package func delivered(_ task: TaskID, to recipient: SectorRecipient, in seconds: Double) {
    guard let image = try? image(of: task).image else { return }
    image.job.delivered(image.local(task), to: recipient, in: seconds)
  }

  package func outputLimit(for task: TaskID) -> OutputLimit {
    guard let image = try? image(of: task).image else { return OutputLimit(json: 0, bulk: 0) }
    return image.job.outputLimit(for: image.local(task))
  }

  package func check(_ output: SourceScan.Findings, for task: TaskID) throws {
    let image = try image(of: task).image
    try image.job.check(output, for: image.local(task))
  }

  package mutating func receive(
    _ output: SourceScan.Findings, for task: TaskID
  ) throws -> ReceivedResult {
    let number = try image(of: task).number
    return try images[number]?.receive(output, for: task) ?? ReceivedResult(result: nil)
  }

  package mutating func gaveUp(_ task: TaskID, reason: String) {
    guard let number = try? image(of: task).number else { return }
    images[number]?.gaveUp(reason: reason)
  }
}

extension NightImage {
  fileprivate var sectors: Range<Int> { firstSector..<firstSector + job.sectorCount }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
