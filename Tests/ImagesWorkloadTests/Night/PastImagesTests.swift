import Foundation
import SkyCatalog
import SkyFITS
import SkyNetCore
import SkyScan
import Testing

@testable import ImagesWorkload
@testable import SkyFiles

@Suite("What earlier processes did of a night's images")
final class PastImagesTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("past-images-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ text: String) throws -> String {
    let file = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// What a journal has of an image that could not be opened.
  private func failed(_ entry: NightEntry, inputs: [String] = []) -> JobPart {
    var facts = NightFacts(place: entry.place)
    facts.file = FileState(path: entry.name.path)
    facts.configuration = entry.configurationPath
    facts.inputs = inputs.map { .init(path: $0, state: FileState(path: $0)) }
    var part = JobPart(number: 0, sectors: 0..<1, name: entry.text, facts: facts.text)
    part.outcome = NightOutcome(state: .failed).text
    return part
  }

  private func take(_ part: JobPart, _ entry: NightEntry) -> PastImages.Known {
    var past = PastImages()
    past.add(part)
    return past.take(entry, FileState(path: entry.name.path), outputs: [])
  }

  @Test("An image that failed stays failed as long as nothing changes")
  func unchanged() throws {
    let entry = try NightEntry(write("a.fits", "x"), extension: nil)
    let weights = folder.appendingPathComponent("weights.fits").path
    let part = failed(entry, inputs: [weights])
    guard case .finished(part, isNews: false) = take(part, entry) else {
      Issue.record("it is not finished")
      return
    }
    guard case .new = take(part, try NightEntry("b.fits", extension: nil)) else {
      Issue.record("another image is known")
      return
    }
  }

  @Test("An image that could not be read has not changed once it can be, or its weights are there")
  func readable() throws {
    let entry = try NightEntry(write("a.fits", "x"), extension: nil)
    let weights = folder.appendingPathComponent("weights.fits").path
    let part = failed(entry, inputs: [weights])
    _ = try write("weights.fits", "y")
    guard case .changed(part, .readable) = take(part, entry) else {
      Issue.record("the weights are not noticed")
      return
    }
    let other = failed(entry)
    _ = try write("a.fits", "longer")
    guard case .changed(other, .readable) = take(other, entry) else {
      Issue.record("the image is not noticed")
      return
    }
    #expect(PastImages.Change.readable.text("a.fits") == nil)
  }

  @Test("An image whose output is gone, or has another size, is written again")
  func outputs() throws {
    let entry = try NightEntry(write("a.fits", "x"), extension: nil)
    let catalog = try write("a.csv", "NUMBER")
    var part = failed(entry)
    var outcome = NightOutcome(state: .done)
    outcome.outputs = [WrittenFile(path: catalog, size: 6)]
    part.outcome = outcome.text
    func known(_ outputs: [String]) -> PastImages.Known {
      var past = PastImages()
      past.add(part)
      return past.take(entry, FileState(path: entry.name.path), outputs: outputs)
    }
    guard case .finished = known([catalog]) else {
      Issue.record("the catalogue is not found")
      return
    }
    guard case .unwritten(_, _, "/elsewhere.csv") = known([catalog, "/elsewhere.csv"]) else {
      Issue.record("another output is not missed")
      return
    }
    _ = try write("a.csv", "NUMBE")
    guard case .unwritten(let again, _, catalog) = known([catalog]) else {
      Issue.record("the catalogue that was cut off is not missed")
      return
    }
    #expect(again.outcome == nil && again.number == part.number)
  }

  @Test("Of a file with one catalogue, images that are done are done again if one is not")
  func reopened() throws {
    let path = try write("a.fits", "x")
    let entries = try (1...2).map { try NightEntry("\(path)[\($0)]", extension: nil) }
    var parts = entries.map { failed($0) }
    parts[0].outcome = NightOutcome(state: .done).text
    func known(_ parts: [JobPart]) -> PastImages.Known {
      var past = PastImages()
      for part in parts { past.add(part) }
      past.reopen(entries)
      return past.take(entries[0], FileState(path: path), outputs: [])
    }
    guard case .finished = known(parts) else {
      Issue.record("images that have all ended are not left alone")
      return
    }
    parts[1].outcome = nil
    guard case .begun = known(parts) else {
      Issue.record("an image of a file that was not finished is left alone")
      return
    }
    guard case .begun = known([parts[0]]) else {
      Issue.record("a new image of the file is not noticed")
      return
    }
  }

  @Test("What has changed is named")
  func texts() {
    #expect(
      PastImages.Change.image.text("a.fits")
        == "a.fits has changed since it was scanned: it is scanned anew")
    #expect(
      PastImages.Change.input("w.fits").text("a.fits")
        == "a.fits was scanned with w.fits, which has changed since: it is scanned anew")
    for change in [PastImages.Change.otherConfiguration, .settings] {
      #expect(change.text("a.fits")?.hasSuffix(": it is scanned anew") == true)
    }
  }
}
