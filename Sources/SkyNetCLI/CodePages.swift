#if os(Linux)
  import Foundation

  /// The pages of this program's files, its libraries' included, that hold code.
  enum CodePages {
    /// Lets go of them; those that are still needed come back as they are used, from the kernel's cache
    /// of the files.
    ///
    /// To start takes code that is not used again, and around each page that is touched the kernel maps
    /// fifteen more: two thirds of what a node at rest would hold.
    static func letGo() {
      for pages in unchanged() {
        madvise(UnsafeMutableRawPointer(bitPattern: pages.lowerBound), pages.count, MADV_DONTNEED)
      }
    }

    /// Where code is mapped as it is in its file. What was changed, as by a debugger, would be lost.
    private static func unchanged() -> [Range<UInt>] {
      guard let file = fopen("/proc/self/smaps", "r") else { return [] }
      defer { fclose(file) }
      var found: [Range<UInt>] = []
      var current: Range<UInt>?
      var line = [CChar](repeating: 0, count: 8192)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        let words = text.split(separator: " ")
        guard words.count > 1 else { continue }
        if words[0].contains("-") {
          let isCode = words[1] == "r-xp" && words.count > 5 && words[5].hasPrefix("/")
          current = isCode ? range(words[0]) : nil
        } else if words[0] == "Anonymous:", words[1] == "0", let pages = current {
          found.append(pages)
        }
      }
      return found
    }

    /// Of `7f00-8f00`, in hexadecimal.
    private static func range(_ text: Substring) -> Range<UInt>? {
      let bounds = text.split(separator: "-").compactMap { UInt($0, radix: 16) }
      return bounds.count == 2 && bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : nil
    }
  }
#endif
