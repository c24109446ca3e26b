import Foundation
import SkyFITS
import SkyScan
import SkyTestSupport
import Testing

/// Files with several images, such as those of a camera with several chips.
@Suite("A catalogue of all images of a file", .timeLimit(.ample))
struct MosaicTests {
  private static let (width, height, count) = (192, 160, 6)

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func text(_ path: String) throws -> String {
    // Tables are binary; each byte becomes one character.
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  private func rows(_ path: String) throws -> [[Substring]] {
    try text(path).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ") }
  }

  /// Draws a mosaic, plain or tile-compressed by its name's ending.
  private func draw(_ path: String, on stage: Stage) async throws {
    var images: [CFITSIOImage] = []
    for number in 1...Self.count {
      let frame = stage.file("frame\(number).fits")
      try await SyntheticSky(
        width: Self.width, height: Self.height, starCount: 15, seed: UInt64(number)
      ).write(to: frame)
      // One block has the header. The stored numbers are the values minus 32768.
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: frame))).dropFirst(2880)
      let pixels = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
        (UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])) ^ 0x8000
      }
      images.append(
        CFITSIOImage(
          width: Self.width, pixels: Array(pixels.prefix(Self.width * Self.height)),
          texts: ["EXTNAME": "CCD\(number)"]))
    }
    try CFITSIOImage.write(images, to: path + (path.hasSuffix(".fz") ? "[compress]" : ""))
  }

  /// Writes a list of columns, and returns the words of `skynet sex` for it.
  private func words(_ stage: Stage, _ image: String, _ catalog: String) throws -> [String] {
    try write(
      "NUMBER\nX_IMAGE\nY_IMAGE\nFLUX_AUTO\nFLAGS\nEXT_NUMBER\n", stage.file("a.param"))
    return [
      "sex", image, "-c", stage.file("none.sex"), "-PARAMETERS_NAME", stage.file("a.param"),
      "-CATALOG_NAME", stage.file(catalog),
    ]
  }

  @Test(
    "Over two nodes, each image has the rows that it has alone",
    arguments: ["mosaic.fits", "mosaic.fits.fz"])
  func rows(name: String) async throws {
    try await Stage.with { stage in
      let path = stage.file(name)
      try await draw(path, on: stage)
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let cluster = [
        "--no-discovery", "--no-local", "--peers", "127.0.0.1:\(a.port),127.0.0.1:\(b.port)",
        "--wait-for", "2", "--wait-timeout", "120",
      ]
      let story = try await stage.skynet(words(stage, path, "all.cat") + cluster).end()
      #expect(story.status == 0, "\(story.errors)")
      let all = try rows(stage.file("all.cat"))
      #expect(Set(all.map { $0.last }) == Set((1...Self.count).map { "\($0)" }))

      // A compressed file has an empty unit before its images, and a plain one has not.
      let first = name.hasSuffix(".fz") ? 1 : 0
      for number in 1...Self.count {
        let image = "\(path)[\(number - 1 + first)]"
        let alone = try await stage.skynet(words(stage, image, "one.cat")).end()
        #expect(alone.status == 0, "\(alone.errors)")
        let own = all.filter { $0.last == "\(number)" }.map { $0.dropLast() }
        let expected = try rows(stage.file("one.cat"))
        #expect(own == expected.map { $0.dropLast() } && own.count > 3)
        #expect(expected.allSatisfy { $0.last == "1" })
      }

      // One head, and the images one after the other, each numbered from 1.
      let head = try text(stage.file("all.cat")).split(separator: "\n").filter {
        $0.hasPrefix("#")
      }
      #expect(head.count == 6)
      #expect(all.filter { $0.first == "1" }.map { $0.last } == (1...Self.count).map { "\($0)" })
    }
  }

  @Test("FITS catalogues have the tables of each image")
  func tables() async throws {
    try await Stage.with { stage in
      let path = stage.file("mosaic.fits")
      try await draw(path, on: stage)
      for (format, names) in [
        ("FITS_LDAC", ["LDAC_IMHEAD", "LDAC_OBJECTS"]), ("FITS_1.0", ["OBJECTS"]),
      ] {
        let story = try await stage.skynet(
          words(stage, path, "all.cat") + ["-CATALOG_TYPE", format]
        ).end()
        #expect(story.status == 0, "\(story.errors)")
        let catalog = try text(stage.file("all.cat"))
        for name in names {
          #expect(catalog.components(separatedBy: "EXTNAME = '\(name)").count - 1 == Self.count)
        }
      }
    }
  }

  @Test("A check image has an extension for each image")
  func checkImage() async throws {
    try await Stage.with { stage in
      let path = stage.file("mosaic.fits")
      try await draw(path, on: stage)
      let story = try await stage.skynet(
        words(stage, path, "all.cat") + [
          "-CHECKIMAGE_TYPE", "BACKGROUND", "-CHECKIMAGE_NAME", stage.file("b.fits"),
        ]
      ).end()
      #expect(story.status == 0, "\(story.errors)")
      let images = try await FITSImage.images(in: stage.file("b.fits"))
      #expect(images.map(\.number) == Array(1...Self.count))
      // The first image was in the primary unit.
      #expect(images.map(\.name) == (1...Self.count).map { "CCD\($0)" })
      #expect(images.allSatisfy { $0.width == Self.width && $0.height == Self.height })
    }
  }

  @Test("A damaged image is listed, and the others keep their numbers")
  func damage() async throws {
    try await Stage.with { stage in
      let path = stage.file("mosaic.fits")
      try await draw(path, on: stage)
      let whole = try await stage.skynet(words(stage, path, "whole.cat")).end()
      #expect(whole.status == 0, "\(whole.errors)")

      // No scale makes pixels of the third image, and the last one is cut off.
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let scale = "BSCALE  =                    1"
      var place = bytes.startIndex
      for _ in 1...3 {
        place = try #require(bytes.range(of: Data(scale.utf8), in: place..<bytes.endIndex))
          .upperBound
      }
      bytes[place - 1] = UInt8(ascii: "0")
      try bytes.dropLast(5760).write(to: URL(fileURLWithPath: path))

      let story = try await stage.skynet(words(stage, path, "rest.cat")).end()
      #expect(story.status == 1)
      let listed = story.errors.filter { $0.hasPrefix("not in the catalogue: ") }
      #expect(listed.count == 2, "\(story.errors)")
      #expect(listed.first?.contains("mosaic.fits[CCD3], image 3 of 6: ") == true, "\(listed)")
      #expect(listed.last?.contains("mosaic.fits[CCD6], image 6 of 6: ") == true, "\(listed)")
      let expected = try rows(stage.file("whole.cat")).filter {
        !["3", "6"].contains($0.last)
      }
      #expect(try rows(stage.file("rest.cat")) == expected)
    }
  }

  @Test("A run that was killed goes on, and writes the catalogue of all images")
  func journal() async throws {
    try await Stage.with { stage in
      let path = stage.file("mosaic.fits")
      try await draw(path, on: stage)
      let words = try words(stage, path, "all.cat")
      let journal = ["--no-discovery", "--slots", "1", "--journal", stage.file("run.sqlite")]
      let first = try await stage.skynet(words + journal).end()
      #expect(first.status == 0, "\(first.errors)")
      let catalog = try text(stage.file("all.cat"))

      // Nothing is scanned again for a catalogue that is gone.
      try FileManager.default.removeItem(atPath: stage.file("all.cat"))
      let again = try await stage.skynet(words + journal).end()
      #expect(again.status == 0, "\(again.errors)")
      #expect(try text(stage.file("all.cat")) == catalog)
      #expect(again.errors.filter { $0.contains("is written again") }.count == 1)
    }
  }

  @Test("Of many files, each has a catalogue in the configuration's format")
  func night() async throws {
    try await Stage.with { stage in
      try await draw(stage.file("mosaic.fits"), on: stage)
      try write("NUMBER\nX_IMAGE\nEXT_NUMBER\n", stage.file("a.param"))
      try write(
        "CATALOG_TYPE ASCII_HEAD\nPARAMETERS_NAME \(stage.file("a.param"))\nFILTER N\n",
        stage.file("a.sex"))
      let story = try await stage.skynet([
        "engage", "--no-discovery", "--image", stage.file("mosaic.fits"),
        stage.file("frame2.fits"), "--config", stage.file("a.sex"), "--catalog",
        stage.file("{name}.cat"),
      ]).end()
      #expect(story.status == 0, "\(story.errors)")
      let all = try rows(stage.file("mosaic.cat"))
      let one = try rows(stage.file("frame2.cat"))
      #expect(Set(all.map { $0.last }).count == Self.count)
      #expect(one.map { $0.dropLast() } == all.filter { $0.last == "2" }.map { $0.dropLast() })

      let refused = try await stage.skynet([
        "engage", "--no-discovery", "--image", stage.file("frame2.fits"), "--catalog",
        stage.file("frame2.cat"),
      ]).end()
      #expect(refused.status == 64)
    }
  }
}
