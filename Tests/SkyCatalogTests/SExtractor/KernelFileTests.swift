import Foundation
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("Kernel files")
struct KernelFileTests {
  @Test("SExtractor's default file is the default kernel")
  func defaultFile() throws {
    let text = "CONV NORM\n# 3x3 mask with FWHM = 2 pixels.\n1 2 1\n2 4 2\n1 2 1\n"
    #expect(try SmoothingKernel(convolutionFile: text) == .usual)
    #expect(SmoothingKernel.usual.weights.reduce(0, +) == 1)
    let twice = text.replacingOccurrences(of: "\n", with: "\r\n")
    #expect(try SmoothingKernel(convolutionFile: twice) == .usual)
    #expect(SmoothingKernel.usual.reach == 1)
    #expect(SmoothingKernel.none.reach == 0)
  }

  /// A mexican hat of SExtractor's sums to less than 1, because the magnitudes of its negative
  /// weights count too.
  @Test("Weights are divided by the sum of their magnitudes")
  func normalised() throws {
    let normalised = try SmoothingKernel(convolutionFile: "CONV NORM\n-1 4 -1")
    let expected: [Float] = [-0.16666667, 0.6666667, -0.16666667]
    #expect(normalised.weights == expected)
    #expect(try SmoothingKernel(convolutionFile: "CONV\n1 2 1").weights == [0.25, 0.5, 0.25])
    let plain = try SmoothingKernel(
      convolutionFile: "CONV NONORM\n\n  # wide\n-1\t4 -1 \n1 .5 1e-1\n0 0 0")
    let weights: [Float] = [-1, 4, -1, 1, 0.5, 0.1, 0, 0, 0]
    #expect(plain.weights == weights)
    #expect(plain.width == 3)
  }

  @Test(
    "A faulty kernel file is refused with the fault",
    arguments: [
      ("", "line 1 of the smoothing kernel is something else; CONV NORM or CONV NONORM is needed"),
      ("# c\nCONV NORM\n1", "line 1 of the smoothing kernel is something else"),
      (
        "CONV NORM\n1 2 1\n\n1 a 1",
        "line 4 of the smoothing kernel has something else; a number is needed"
      ),
      ("CONV NORM\n1, 2, 1", "line 2 of the smoothing kernel has something else"),
      ("CONV NORM\n1 nan 1", "line 2 of the smoothing kernel has something else"),
      ("CONV NORM\n1 2 1\n1 2", "line 3 of the smoothing kernel has 2 numbers; 3 are needed"),
      ("CONV NORM\n1 2\n2 1", "a smoothing kernel of 2 × 2 weights; odd numbers of 1 to 31"),
      ("CONV NORM\n1 2 1\n1 2 1", "a smoothing kernel of 3 × 2 weights"),
      ("CONV NORM\n# nothing", "a smoothing kernel of 0 × 0 weights"),
      ("CONV NORM\n0 0 0", "finite numbers that are not all 0 are needed"),
    ])
  func faults(text: String, says: String) {
    let fault = #expect(throws: InvalidScan.self) { try SmoothingKernel(convolutionFile: text) }
    #expect(fault?.description.contains(says) == true, "\(fault?.description ?? "")")
  }
}
