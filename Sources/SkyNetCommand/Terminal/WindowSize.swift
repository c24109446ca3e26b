import Foundation

/// How many characters a terminal's window shows.
struct WindowSize: Hashable {
  let columns: Int
  let rows: Int

  /// A terminal that does not know its size, as on a serial line or under some supervisors, reports
  /// 0 × 0. That counts as 80 × 24, as in other programs.
  init(columns: Int, rows: Int) {
    self.columns = columns > 0 ? columns : 80
    self.rows = rows > 0 ? rows : 24
  }

  /// The size of the terminal behind a descriptor; 80 × 24 if there is none.
  init(of descriptor: CInt) {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    self.init(
      columns: isKnown ? Int(size.ws_col) : 0, rows: isKnown ? Int(size.ws_row) : 0)
  }
}
