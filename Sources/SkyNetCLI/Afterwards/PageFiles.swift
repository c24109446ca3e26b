/// The files of the page that a report is made of.
enum PageFiles {
  static func text(named name: String) -> String? {
    name == "index.html" ? index : nil
  }

  private static let index = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <!-- policy -->
    <title>SkyNet</title>
    </head>
    <body>
    <!-- report -->
    </body>
    </html>
    """
}
