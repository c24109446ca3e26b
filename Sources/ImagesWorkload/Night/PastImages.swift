import Foundation
import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyNetCore
import SkyScan

/// What earlier processes recorded of a night's images, and what has changed since.
struct PastImages {
  /// What is known of an image.
  enum Known {
    /// Nothing.
    case new
    /// The image was begun and has not ended.
    case begun(JobPart, NightFacts)
    /// The image has ended, and nothing has changed. Its files may have other states than the ones recorded with the
    /// same contents, which is news for the journal.
    case finished(JobPart, isNews: Bool)
    /// The image has ended, and has changed since.
    case changed(JobPart, Change)
    /// The image has ended, and nothing has changed, but this output is not there as it was written. All outputs can
    /// be written anew from what was recorded.
    case unwritten(JobPart, NightFacts, missing: String)

    /// What was recorded.
    var part: JobPart? {
      switch self {
      case .new: nil
      case .begun(let part, _), .finished(let part, _), .changed(let part, _),
        .unwritten(let part, _, _):
        part
      }
    }
  }

  /// Why an image is scanned anew.
  enum Change: Equatable {
    case image
    /// The weights, or a file with settings.
    case input(String)
    /// Another configuration file is named for the image.
    case otherConfiguration
    /// What the scan depends on, in whatever file.
    case settings
    /// The image could not be opened before.
    case readable

    /// What people are told; `nil` if nothing is: an image that could not be read before has not changed.
    func text(_ image: String) -> String? {
      let change: String
      switch self {
      case .image: change = "\(image) has changed since it was scanned"
      case .input(let path):
        change = "\(image) was scanned with \(path), which has changed since"
      case .otherConfiguration:
        change = "\(image) has another file with settings than when it was scanned"
      case .settings: change = "\(image) was begun with other settings or weights"
      case .readable: return nil
      }
      return change + ": it is scanned anew"
    }
  }

  private var parts: [NightFacts.Place: JobPart] = [:]
  /// The hashes of weights and settings, of which many images may have the same.
  private var hashes: [ExactText: (state: FileState?, contents: String?)] = [:]

  mutating func add(_ part: JobPart) {
    guard let facts = NightFacts(part.facts) else { return }
    parts[facts.place] = part
  }

  /// Takes the images of a file as not ended, unless all of them have ended: an output that has all images of the file
  /// is written with all of their tables, and what was recorded of them gives the tables again.
  mutating func reopen(_ images: [NightEntry]) {
    func outcome(_ image: NightEntry) -> NightOutcome? {
      NightOutcome(parts[image.place]?.outcome)
    }
    guard images.contains(where: { outcome($0) == nil }) else { return }
    for image in images where outcome(image)?.state == .done { parts[image.place]?.outcome = nil }
  }

  /// Returns what is known of an image, and forgets it. Files whose states differ from the recorded ones are read and
  /// compared, which blocks the thread.
  ///
  /// - Parameters:
  ///   - state: the image's file as it is now.
  ///   - outputs: the paths of the files that are to be written for the image.
  mutating func take(_ entry: NightEntry, _ state: FileState?, outputs: [String]) -> Known {
    guard var part = parts.removeValue(forKey: entry.place), let facts = NightFacts(part.facts)
    else { return .new }
    guard let outcome = NightOutcome(part.outcome) else { return .begun(part, facts) }
    var latest = facts
    if let change = change(&latest, entry, state) {
      return .changed(part, facts.wasOpened ? change : .readable)
    }
    part.facts = latest.text
    if outcome.state == .done, let missing = Self.missing(of: outputs, outcome) {
      part.outcome = nil
      return .unwritten(part, latest, missing: missing)
    }
    return .finished(part, isNews: latest != facts)
  }

  /// What has changed since the facts were recorded; otherwise the facts get the files' states of now.
  private mutating func change(
    _ facts: inout NightFacts, _ entry: NightEntry, _ state: FileState?
  ) -> Change? {
    if facts.file != state {
      guard let contents = facts.contents,
        (try? FITSImage.contentsHash(ofFile: entry.name.path)) == contents
      else { return .image }
      facts.file = state
    }
    guard var inputs = facts.inputs else { return nil }
    guard facts.configuration == entry.configurationPath else { return .otherConfiguration }
    for index in inputs.indices {
      let input = inputs[index]
      let state = FileState(path: input.path.text)
      guard state != input.state else { continue }
      guard let contents = input.contents, hash(ofFile: input.path, state) == contents else {
        return .input(input.path.text)
      }
      inputs[index].state = state
    }
    facts.inputs = inputs
    return facts.changedVariable.map { .input("$\($0)") }
  }

  /// The first output that is not there as it was written.
  private static func missing(of outputs: [String], _ outcome: NightOutcome) -> String? {
    outputs.first { output in
      let path = ExactText(WrittenFile.absolute(output))
      return outcome.outputs?.first { ExactText($0.path) == path }?.isThere != true
    }
  }

  private mutating func hash(ofFile path: ExactText, _ state: FileState?) -> String? {
    if let known = hashes[path], known.state == state { return known.contents }
    let contents = try? FITSImage.contentsHash(ofFile: path.text)
    hashes[path] = (state, contents)
    return contents
  }
}

extension PastImages.Known {
  /// Why what was recorded does not hold for the image as it was opened now; `nil` if the scan goes on where it
  /// stopped.
  func change(to facts: NightFacts?, sectors: Int) -> PastImages.Change? {
    switch self {
    case .new: return nil
    case .finished: return .image
    case .changed(_, let change): return change
    case .begun(let part, let past), .unwritten(let part, let past, _):
      guard past.wasOpened else { return .readable }
      // An image that was written over while it was scanned, and has its old contents again, has sectors of both.
      guard past.contents == facts?.contents, past.file == facts?.file else { return .image }
      guard past.settings == facts?.settings, part.sectors.count == sectors else {
        return .settings
      }
      let now = facts?.inputs ?? []
      if let variable = past.changedVariable { return .input("$\(variable)") }
      return past.inputs?.first { !now.contains($0) }.map { .input($0.path.text) }
    }
  }
}

extension NightFacts {
  /// Whether the image could be opened.
  fileprivate var wasOpened: Bool { scan != nil }

  /// An environment variable that the configuration names, and that has another value now; `nil` if there is none.
  fileprivate var changedVariable: String? {
    variables?.sorted { $0.key < $1.key }
      .first { $0.value != EnvironmentVariables.hash(of: $0.key) }?.key
  }
}
