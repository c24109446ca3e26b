import Foundation
import SkyFiles
import Testing

@testable import ImagesWorkload

@Suite("Files of a run's images")
struct ImageFilesTests {
  /// Runs a test in a new folder with `a.fits`, `b.fits`, `d/a.fits`, `way` (a link to `d`),
  /// `hard.csv` (a hard link to `b.fits`) and `soft.csv` (a link to `d/x.csv`, which is not there).
  private func inFolder(_ test: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "skynet-clash-" + UUID().uuidString
    let files = FileManager.default
    try files.createDirectory(atPath: folder + "/d", withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: folder) }
    for name in ["a.fits", "b.fits", "d/a.fits"] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    try files.createSymbolicLink(atPath: folder + "/way", withDestinationPath: "d")
    try files.createSymbolicLink(atPath: folder + "/soft.csv", withDestinationPath: "d/x.csv")
    try files.linkItem(atPath: folder + "/b.fits", toPath: folder + "/hard.csv")
    try test(folder + "/")
  }

  /// The error that adding images gives, each with an output.
  private func fault(_ images: [(image: String, output: String)], in folder: String) -> String? {
    do {
      var files = try ImageFiles(
        written: [("journal", folder + "run.sqlite")], read: [("weight", folder + "w.fits")])
      for (image, output) in images {
        try files.add(
          folder + image, reads: [("image", ImageName(folder + image).path)],
          writes: [("catalog", folder + output)])
      }
      return nil
    } catch {
      return "\(error)".replacingOccurrences(of: folder, with: "")
    }
  }

  @Test(
    "Two images that would write one file are refused, with both and the file",
    arguments: [
      ("a.fits", "x.csv", "d/a.fits", "x.csv", "x.csv: put {dir} into --catalog"),
      ("a.fits[1]", "x.csv", "a.fits[2]", "x.csv", "x.csv: put {ext} into --catalog"),
      ("a.fits", "d/x.csv", "b.fits", "way/x.csv", "one file, d/x.csv and way/x.csv: rename one"),
      ("a.fits", "d/x.csv", "b.fits", "soft.csv", "one file, d/x.csv and soft.csv: rename one"),
      ("a.fits", "x.csv", "b.fits", "d/../x.csv", "one file, x.csv and d/../x.csv: rename one"),
      ("a.fits", "n/x.csv", "b.fits", "n/m/../x.csv", "one file, n/x.csv and n/m/../x.csv: rename"),
      ("a.fits", "d/n/x", "b.fits", "way/n/x", "one file, d/n/x and way/n/x: rename one"),
    ])
  func twoOutputsAreNotOneFile(
    one: String, output: String, other: String, otherOutput: String, end: String
  ) throws {
    try inFolder { folder in
      let fault = fault([(one, output), (other, otherOutput)], in: folder)
      #expect(fault?.hasPrefix("\(one) and \(other) would both write \(end)") == true)
    }
  }

  @Test("An image that is given twice is told as such")
  func anImageGivenTwiceIsTold() throws {
    try inFolder { folder in
      #expect(
        fault([("a.fits", "x.csv"), ("a.fits", "x.csv")], in: folder)
          == "a.fits is given twice: leave one out")
    }
  }

  @Test(
    "An output never replaces what the run reads, whichever image comes first",
    arguments: [
      ("a.fits", "b.fits", "b.fits, which is read for b.fits"),
      ("a.fits", "a.fits", "a.fits, which is read for a.fits"),
      ("a.fits", "hard.csv", "one file, hard.csv and b.fits, which is read for b.fits"),
      ("a.fits", "w.fits", "w.fits, which --weight reads"),
    ])
  func anOutputReplacesNoInput(image: String, output: String, end: String) throws {
    try inFolder { folder in
      let expected = "--catalog of \(image) would replace \(end): give the output another name"
      #expect(fault([("b.fits", "y.csv"), (image, output)], in: folder) == expected)
      #expect(fault([(image, output), ("b.fits", "y.csv")], in: folder) == expected)
    }
  }

  @Test("An output is none of the run's own files")
  func anOutputIsNoFileOfTheRun() throws {
    try inFolder { folder in
      #expect(
        fault([("a.fits", "d/../run.sqlite")], in: folder)
          == "--journal and --catalog of a.fits name the same file, one file, run.sqlite and "
          + "d/../run.sqlite: give each its own")
    }
  }

  @Test("A refused image leaves nothing behind, and images may share what they read")
  func aRefusedImageLeavesNothingBehind() throws {
    try inFolder { folder in
      var files = try ImageFiles()
      try files.add("a", reads: [("weight", folder + "w")], writes: [("catalog", folder + "a.csv")])
      #expect(throws: FileClash.self) {
        try files.add(
          "b", reads: [], writes: [("picture", folder + "b.png"), ("catalog", folder + "a.csv")])
      }
      try files.add("c", reads: [("weight", folder + "w")], writes: [("picture", folder + "b.png")])
      let areOutputs = [folder + "way/a.csv", folder + "d/../a.csv", folder + "a.fits"].map {
        files.isOutput($0)
      }
      #expect(areOutputs == [false, true, false])
    }
  }

  @Test("Missing folders are made, and paths to them are the same before and after")
  func missingFoldersAreMade() throws {
    try inFolder { folder in
      var files = try ImageFiles()
      try files.add("a", reads: [], writes: [("catalog", folder + "d/n/m/a.csv")])
      #expect(!FileManager.default.fileExists(atPath: folder + "d/n"))
      try files.makeFolders()
      #expect(FileManager.default.fileExists(atPath: folder + "d/n/m"))
      #expect(throws: FileClash.self) {
        try files.add("b", reads: [], writes: [("catalog", folder + "way/n/m/a.csv")])
      }
      try files.add("c", reads: [], writes: [("catalog", folder + "a.fits/x/c.csv")])
      let error = #expect(throws: OutputFolderError.self) { try files.makeFolders() }
      #expect(
        error?.description
          == "\(folder)a.fits/x: the folder for outputs cannot be made (Not a directory); make it, "
          + "or choose another one")
    }
  }

  @Test("A file that has the number of one that is gone is another file")
  func aReplacedFileIsNoClash() throws {
    try inFolder { folder in
      var files = try ImageFiles()
      let output = folder + "a.csv"
      try Data("old".utf8).write(to: URL(fileURLWithPath: output))
      try files.add("a", reads: [], writes: [("catalog", output)])
      // The old output's file becomes a new frame: as if its number had been given away.
      try FileManager.default.moveItem(atPath: output, toPath: folder + "new.fits")
      try Data("new".utf8).write(to: URL(fileURLWithPath: output))
      try files.add("new", reads: [("image", folder + "new.fits")], writes: [])
      let areOutputs = [folder + "new.fits", output].map { files.isOutput($0) }
      #expect(areOutputs == [false, true])
    }
  }

  @Test("A hundred thousand images are compared")
  func manyImagesAreCompared() throws {
    try inFolder { folder in
      let pattern = try OutputPattern(folder + "out/{name}.csv", flag: "catalog")
      let time = try ContinuousClock().measure {
        var files = try ImageFiles()
        for index in 0..<100_000 {
          let image = "\(folder)night/frame-\(index).fits"
          try files.add(
            image, reads: [("image", image)], writes: [("catalog", pattern.path(for: image))])
        }
      }
      print("100,000 images were compared in \(time)")
    }
  }
}
