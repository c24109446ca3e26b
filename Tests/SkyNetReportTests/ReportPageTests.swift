import Foundation
import SkyNetReport
import Testing

@Suite("The page of a report")
struct ReportPageTests {
  private static let index = """
    <!doctype html>
    <html>
    <head>
    <!-- policy -->
      <link rel="stylesheet" href="style.css">
    </head>
    <body>
    <!-- report -->
      <script src="app.js"></script>
    </body>
    </html>
    """

  private func page(_ files: [String: String], _ json: String) throws -> String {
    var files = files
    files["index.html"] = files["index.html"] ?? Self.index
    return String(
      decoding: try ReportPage { files[$0] }.html(with: Array(json.utf8)), as: UTF8.self)
  }

  @Test("Styles, scripts and data are written into the page, and nothing is left to fetch")
  func everythingIsInThePage() throws {
    let html = try page(["style.css": "p { margin: 0 }", "app.js": "let a = 1"], #"{"v":1}"#)
    #expect(html.contains("<style>p { margin: 0 }</style>"))
    #expect(html.contains("<script>let a = 1</script>"))
    #expect(html.contains(#"<script type="application/json" id="report">{"v":1}</script>"#))
    #expect(!html.contains("href=") && !html.contains("src="))
  }

  @Test("The policy allows the page's own scripts and styles by their hashes alone")
  func thePolicy() throws {
    // printf 'let a = 1' | openssl dgst -sha256 -binary | base64
    let html = try page(["style.css": "", "app.js": "let a = 1"], "{}")
    let policy = try #require(html.split(separator: "\n").first { $0.contains("Content-Security") })
    #expect(
      policy.contains("script-src 'sha256-LAfYd7pbFUgwfQu8b4q135PeTG2z+/coPEUYCd74eCQ='"),
      "\(policy)")
    #expect(policy.contains("style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"))
    #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
  }

  @Test(
    "Files that would end their own element, and data that would end its script, are refused",
    arguments: [
      (["style.css": "</STYLE>", "app.js": ""], "{}"),
      (["style.css": "", "app.js": "'</script>'"], "{}"),
      (["style.css": "", "app.js": "'<!--'"], "{}"), (["app.js": ""], "{}"),
      (["style.css": "", "app.js": "", "index.html": "<html>"], "{}"),
      (["style.css": "", "app.js": ""], #"{"a":"</script>"}"#),
    ])
  func whatEndsAnElementIsRefused(files: [String: String], json: String) {
    #expect(throws: ReportPage.Malformed.self) { try page(files, json) }
  }
}
