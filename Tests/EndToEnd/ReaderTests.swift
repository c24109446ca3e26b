import Foundation
import SkyFITS
import SkyScan
import Testing

/// A folder with files that crash CFITSIO 4.2 or WCSLIB 7.12, which are not part of the repository.
private let attacks = ProcessInfo.processInfo.environment["SKYNET_TEST_ATTACKS"]
  .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

/// The process that reads images.
@Suite("The process that reads images", .timeLimit(.ample))
struct ReaderTests {
  @Test("The reader can neither read the key nor connect, fork or trace")
  func theReaderCanNeitherReadTheKeyNorConnectNorForkNorTrace() async throws {
    try await Stage.with { stage in
      let key = stage.account + "/skynet/cluster.key"
      #expect(FileManager.default.isReadableFile(atPath: key))
      let story = try await stage.skynet("reader-check", "--key-file", key).end()
      #expect(story.status == 0, "\(story.output) \(story.errors)")
      for deed in [
        "read the file", "write a file", "make a socket", "connect", "fork", "run a program",
        "signal its parent", "trace its parent", "have memory that is code",
      ] {
        #expect(story.output.contains("\(deed): could not (Operation not permitted)"), "\(deed)")
      }
    }
  }

  #if arch(x86_64)
    private static let numbers = (seccomp: 317, prctl: 157)
  #else
    private static let numbers = (seccomp: 277, prctl: 167)
  #endif

  /// Lines of perl that execute the words after them where seccomp is refused with EPERM.
  private static let withoutSeccomp = """
    my ($load, $equal, $return) = (0x20, 0x15, 0x06);
    my @filter = (
      [$load, 0, 0, 0], [$equal, 3, 0, \(numbers.seccomp)], [$equal, 0, 3, \(numbers.prctl)],
      [$load, 0, 0, 16], [$equal, 0, 1, 22], [$return, 0, 0, 0x50001], [$return, 0, 0, 0x7fff0000]);
    my $code = join "", map { pack "SCCL", @$_ } @filter;
    my $program = pack "S x![P] P", scalar @filter, $code;
    syscall(\(numbers.prctl), 38, 1, 0, 0, 0) == 0 or die "$!";
    syscall(\(numbers.prctl), 22, 2, $program, 0, 0) == 0 or die "$!";
    exec @ARGV;
    """

  private static let canRefuse =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/perl")
    && FileManager.default.fileExists(atPath: "/proc/sys/kernel/seccomp")

  @Test(
    "Where seccomp is refused nothing is read, and the error says so",
    .enabled(if: canRefuse, "needs perl, and a kernel with seccomp"))
  func withoutSeccomp() async throws {
    try await Stage.with { stage in
      let image = try await packedImage("packed.fits", stage)
      let story = try await stage.launch(
        "/usr/bin/perl",
        ["-e", Self.withoutSeccomp, Paths.binary, "engage", "--no-discovery", "--image", image]
      ).end()
      #expect(story.status == 2 && story.output.isEmpty, "\(story.errors)")
      let complaint = try #require(story.errors.last)
      #expect(complaint.contains("confined by seccomp (Operation not permitted)"), "\(complaint)")
      #expect(complaint.contains("allow seccomp in this container"), "\(complaint)")
    }
  }

  @Test(
    "A file that crashes the libraries crashes no command",
    .enabled(
      if: attacks != nil, "set SKYNET_TEST_ATTACKS to a folder with files that crash CFITSIO"),
    arguments: ["NUMBER,X_IMAGE,Y_IMAGE", "NUMBER,X_IMAGE,Y_IMAGE,ALPHA_J2000,DELTA_J2000"])
  func aFileThatCrashesTheLibraries(columns: String) async throws {
    let folder = try #require(attacks)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      try await Stage.with { stage in
        let story = try await stage.launch(
          "/usr/bin/prlimit",
          [
            // A sanitizer reserves terabytes of addresses.
            Memory.isInstrumented ? "--as=unlimited" : "--as=\(8 << 30)", "--core=0", Paths.binary,
            "engage", "--no-discovery", "--image",
            folder + "/" + name, "--columns", columns, "--catalog", stage.file("sources.csv"),
          ]
        ).end()
        let status = try #require(story.status)
        #expect([0, 1, 2].contains(status), "\(name): \(status), \(story.errors)")
        if status == 2 {
          let last = try #require(story.errors.last)
          #expect(last.hasPrefix("error: "), "\(name): \(last)")
        }
      }
    }
  }

  /// The number of open files, and the readers' memory in MiB, at the end of `reader-check`.
  private func resources(_ line: String?) throws -> (files: Int, memory: Int) {
    let numbers = try #require(line).split { !$0.isNumber }.compactMap { Int($0) }
    try #require(numbers.count == 2, "\(line ?? "")")
    return (numbers[0], numbers[1])
  }

  private func packedImage(_ name: String, _ stage: Stage) async throws -> String {
    let image = stage.file(name)
    try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: image)
    #expect(try await RunningProcess("/bin/gzip", [image]).end().status == 0)
    return image + ".gz"
  }

  @Test("Thousands of images, one after the other, take no more files and memory than a few")
  func manyImages() async throws {
    try await Stage.with { stage in
      let plain = stage.file("plain.fits")
      try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: plain)
      let images = [plain, try await packedImage("packed.fits", stage)]
      var ends: [(files: Int, memory: Int)] = []
      for rounds in ["20", "2000"] {
        let story = try await stage.skynet(["reader-check", "--rounds", rounds] + images).end()
        #expect(story.status == 0, "\(story.errors)")
        ends.append(try resources(story.output.last))
      }
      #expect(ends[1].files <= ends[0].files + 4, "\(ends)")
      // The address sanitizer holds back memory that was freed.
      #expect(Memory.isInstrumented || ends[1].memory <= ends[0].memory + 16, "\(ends)")
    }
  }

  @Test(
    "A file that crashes the libraries costs no image but itself",
    .enabled(
      if: attacks != nil, "set SKYNET_TEST_ATTACKS to a folder with files that crash CFITSIO"))
  func attacksAmongImages() async throws {
    let folder = try #require(attacks)
    try await Stage.with { stage in
      var good: [String] = []
      var all: [String] = []
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
        good.append(try await packedImage("\(good.count).fits", stage))
        all += [good[good.count - 1], folder + "/" + name]
      }
      func lines(_ files: [String], rounds: Int = 1) async throws -> [String] {
        let story = try await stage.skynet(
          ["reader-check", "--rounds", "\(rounds)"] + files
        ).end()
        #expect([0, 1].contains(story.status), "\(story.errors)")
        return story.output.filter { line in good.contains { line.hasPrefix($0) } }
      }
      let alone = try await lines(good)
      #expect(alone.count == good.count)
      #expect(try await lines(all, rounds: 10) == alone)
    }
  }

  @Test("A path with special characters is no expression")
  func aPathIsAPath() async throws {
    try await Stage.with { stage in
      for name in ["~nobody", "~"] {
        let folder = stage.file(name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let image = folder + "/sky.fits"
        try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: image)
        // Relative to the parent folder, the path begins with a tilde.
        let story = try await stage.launch(
          "/bin/sh",
          [
            "-c", "cd \"$1\" && exec \"$2\" engage --no-discovery --image \"$3/sky.fits\"", "sh",
            URL(fileURLWithPath: folder).deletingLastPathComponent().path, Paths.binary, name,
          ], ["HOME": "/nonexistent"]
        ).end()
        #expect(story.status == 0 && story.output.count > 5, "\(story.errors)")
      }
    }
  }

  @Test("The image that is chosen from a mosaic is scanned")
  func theChosenImageIsScanned() async throws {
    try await Stage.with { stage in
      var mosaic = Data()
      var alone: [[String]] = []
      for seed: UInt64 in 1...2 {
        let file = stage.file("\(seed).fits")
        try await SyntheticSky(width: 128, height: 96, starCount: 6, seed: seed).write(to: file)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        if seed == 1 { mosaic += Self.unit(["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 0"]) }
        mosaic += Self.unit([
          "XTENSION= 'IMAGE   '", "BITPIX  = 16", "NAXIS   = 2", "NAXIS1  = 128", "NAXIS2  = 96",
          "PCOUNT  = 0", "GCOUNT  = 1", "EXTNAME = 'CCD\(seed)'", "BZERO   = 32768",
        ])
        mosaic += bytes.dropFirst(2880)
        alone.append(try await catalog(of: [file], stage))
      }
      let file = stage.file("mosaic.fits")
      try mosaic.write(to: URL(fileURLWithPath: file))

      let refused = try await stage.skynet("engage", "--no-discovery", "--image", file).end()
      #expect(refused.status == 2 && refused.output.isEmpty)
      let complaint = try #require(refused.errors.last)
      #expect(complaint.contains("[1] CCD1 128 × 96, [2] CCD2 128 × 96"), "\(complaint)")
      #expect(complaint.contains("--extension"), "\(complaint)")

      #expect(alone[0] != alone[1])
      for (image, expected) in [
        ([file + "[1]"], alone[0]), ([file + "[2]"], alone[1]), ([file + "[CCD2]"], alone[1]),
        ([file, "--extension", "CCD1"], alone[0]), ([file, "--extension", "2"], alone[1]),
        // A weight map with several images is read at the same extension.
        ([file, "--extension", "2", "--weight", file], nil),
      ] {
        let found = try await catalog(of: image, stage)
        if let expected { #expect(found == expected) }
      }

      // A file with the whole text as its name takes precedence.
      let bracketed = stage.file("mosaic.fits[2]")
      try FileManager.default.copyItem(atPath: stage.file("1.fits"), toPath: bracketed)
      #expect(try await catalog(of: [bracketed], stage) == alone[0])
    }
  }

  private func catalog(of image: [String], _ stage: Stage) async throws -> [String] {
    let story = try await stage.skynet(["engage", "--no-discovery", "--image"] + image).end()
    #expect(story.status == 0, "\(image): \(story.errors)")
    return story.output
  }

  /// A header, padded to whole blocks. The values are in FITS's free format.
  private static func unit(_ cards: [String]) -> Data {
    let text = (cards + ["END"]).map { $0.padding(toLength: 80, withPad: " ", startingAt: 0) }
      .joined()
    let length = (text.utf8.count + 2879) / 2880 * 2880
    return Data(text.padding(toLength: length, withPad: " ", startingAt: 0).utf8)
  }
}
