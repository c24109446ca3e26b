import ArgumentParser
import SkyCatalog
import SkyNetCommand
import Testing

@testable import ImagesWorkload

@Suite("The words of skynet sex")
struct SexRequestTests {
  private func request(_ words: String) -> SexRequest {
    SexRequest(words.split(separator: " ").map(String.init)) { $0 == "--peers" }
  }

  @Test(
    "Words of one or two letters ask for texts",
    arguments: [
      ("", SexRequest.syntax), ("-v", .version), ("-d", .defaults(all: false)),
      ("-dd", .defaults(all: true)), ("-dp", .columns), ("a.fits -h", .syntax),
      ("a.fits --help", .syntax), ("a.fits -c", .syntax),
    ])
  func texts(words: String, request: SexRequest) {
    #expect(self.request(words) == request)
  }

  @Test("Keywords take the next word, whatever it is, and options those that have a value")
  func run() {
    var run = SexRequest.Run()
    run.images = ["a.fits[1]"]
    run.configuration = "b.sex"
    run.options = ["--web", "--peers", "c:1", "--slots=2"]
    run.settings = [
      SExtractorSetting(keyword: "MAG_ZEROPOINT", word: "-2.5"),
      SExtractorSetting(keyword: "CLEAN", word: ""),
    ]
    #expect(
      request("--web a.fits[1] -mag_zeropoint -2.5 -c b.sex --peers c:1 --slots=2 -CLEAN")
        == .run(run))
  }

  @Test("A keyword with two dashes is no option, and none of engage's options is taken for one")
  func twoDashes() {
    for words in ["--CHECKIMAGE_NAME b", "--checkimage_name b", "--Checkimage_Name=b"] {
      #expect(request("a.fits \(words)") == .keywordWithTwoDashes("CHECKIMAGE_NAME"))
    }
    #expect(request("a.fits --GAIN 2") == .keywordWithTwoDashes("GAIN"))
    for option in Images.optionsWithValue.sorted() + ["--clean", "--NO_SUCH"] {
      var run = SexRequest.Run()
      run.options = [option]
      #expect(request(option) == .run(run), "\(option)")
    }
  }

  @Test("Two images are SExtractor's dual-image mode, which is refused by that name")
  func twoImages() async throws {
    guard case .run(let run) = request("a.fits,b.fits") else { return #expect(Bool(false)) }
    #expect(run.images == ["a.fits", "b.fits"])
    let refusal = await #expect(throws: ValidationError.self) { try await SexRun(run).perform() }
    #expect(
      refusal?.message.hasPrefix("a.fits, b.fits ask for SExtractor's dual-image mode, ") == true)
  }

  @Test("A third image is one too many")
  func threeImages() async throws {
    guard case .run(let run) = request("a.fits,b.fits c.fits") else { return #expect(Bool(false)) }
    let refusal = await #expect(throws: ValidationError.self) { try await SexRun(run).perform() }
    #expect(refusal?.message == "too many input images: c.fits; give one image")
  }
}
