import Foundation

/// The pages of this program's files, its libraries' included, that hold code.
enum CodePages {
  /// Lets go of them; those that are still needed come back as they are used, from the kernel's cache
  /// of the files.
  ///
  /// To start takes code that is not used again, and around each page that is touched the kernel maps
  /// fifteen more: two thirds of what a node at rest would hold.
  static func letGo() {
    #if os(Linux)
      guard let file = fopen("/proc/self/smaps", "r") else { return }
      defer { fclose(file) }
      var pages: Range<UInt>?
      var line = [CChar](repeating: 0, count: 8192)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        let words = text.split(separator: " ")
        guard words.count > 1 else { continue }
        switch words[0] {
        // What was changed, as by a debugger, is not in the file.
        case "Anonymous:", "Swap:", "Private_Hugetlb:": if words[1] != "0" { pages = nil }
        // The last line of a mapping.
        case "VmFlags:":
          if let pages {
            let start = UnsafeMutableRawPointer(bitPattern: pages.lowerBound)
            madvise(start, pages.count, MADV_DONTNEED)
          }
          pages = nil
        case let bounds where bounds.contains("-"):
          let isCode = words[1] == "r-xp" && words.count > 5 && words[5].hasPrefix("/")
          pages = isCode ? range(bounds) : nil
        default: break
        }
      }
    #endif
  }

  /// Of `7f00-8f00`, in hexadecimal.
  private static func range(_ text: Substring) -> Range<UInt>? {
    let bounds = text.split(separator: "-").compactMap { UInt($0, radix: 16) }
    return bounds.count == 2 && bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : nil
  }
}
