import SkyCatalog
import TestSupport
import Testing

@testable import ImagesWorkload

@Suite("The words of skynet sex", .ownThreads)
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

  @Test("Two images are those of SExtractor's two modes")
  func twoImages() {
    guard case .run(let run) = request("a.fits,b.fits c.fits") else { return #expect(Bool(false)) }
    #expect(run.images == ["a.fits", "b.fits", "c.fits"])
  }
}
