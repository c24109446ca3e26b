import CZlib
import Foundation

/// All bytes of a FITS file: mapped, or inflated if the file is gzipped.
///
/// It is not `Sendable`, because it belongs to one open file.
final class FileBytes {
  let start: UnsafeMutableRawPointer
  let count: Int
  /// Whether these are the file's own bytes, and not inflated ones.
  let isMapped: Bool

  var signature: FileSignature {
    FileSignature(start: UnsafeRawBufferPointer(start: start, count: count))
  }

  /// - Parameters:
  ///   - descriptor: the open file. The caller may close it afterwards.
  ///   - size: the number of bytes of the file.
  ///   - path: the path in errors.
  /// - Throws: ``FITSError``.
  init(descriptor: CInt, size: Int, path: String) throws {
    guard let mapped = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), mapped != MAP_FAILED
    else {
      throw FITSError(
        .notReadable, path: path,
        fault: "cannot be mapped into memory (\(String(cString: strerror(errno))))",
        nextStep: "see whether the memory or the address space of this process is limited")
    }
    let bytes = UnsafeRawBufferPointer(start: mapped, count: size)
    guard FileSignature(start: bytes) == .gzip else {
      (start, count, isMapped) = (mapped, size, true)
      return
    }
    defer { munmap(mapped, size) }
    var inflation = Inflation(path: path)
    let inflated = try inflation.inflate(bytes)
    guard let contents = inflated.baseAddress else { throw inflation.damaged("it holds nothing") }
    (start, count, isMapped) = (contents, inflated.count, false)
  }

  deinit {
    if isMapped { munmap(start, count) } else { free(start) }
  }
}

/// Inflates gzipped bytes (RFC 1952), which may consist of several members.
private struct Inflation {
  let path: String
  private var output = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var length = 0

  /// zlib counts its input in 32 bits.
  private static let mostAtOnce = 1 << 30

  init(path: String) { self.path = path }

  func damaged(_ words: String) -> FITSError {
    FITSError(
      .truncated, path: path, fault: "cannot be decompressed to a FITS file (\(words))",
      nextStep: "fetch it again, or look at it with gzip -t")
  }

  /// Returns memory that the caller frees.
  mutating func inflate(_ input: UnsafeRawBufferPointer) throws -> UnsafeMutableRawBufferPointer {
    var stream = z_stream()
    // 15 bits of window, and 16 for gzip's header.
    let begun = inflateInit2_(
      &stream, 15 + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    guard begun == Z_OK else { throw tooLarge() }
    defer { inflateEnd(&stream) }
    do {
      var taken = 0
      while taken < input.count {
        let piece = min(input.count - taken, Self.mostAtOnce)
        stream.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress! + taken)
          .assumingMemoryBound(to: Bytef.self)
        stream.avail_in = uInt(piece)
        let status = try step(&stream)
        taken += piece - Int(stream.avail_in)
        switch status {
        case Z_OK: continue
        case Z_STREAM_END:
          // Bytes behind the last member are filler.
          let rest = UnsafeRawBufferPointer(rebasing: input[taken...])
          guard FileSignature(start: rest) == .gzip else { return try trimmed() }
          inflateReset(&stream)
        default: throw damaged("zlib \(status)")
        }
      }
      // The end of the last member, with its checksum, is missing.
      throw damaged("it ends too soon")
    } catch {
      free(output.baseAddress)
      throw error
    }
  }

  /// Inflates into the free room, after making more if there is none.
  private mutating func step(_ stream: inout z_stream) throws -> CInt {
    if length == output.count {
      let room = max(1 << 20, output.count * 2)
      guard room <= ReaderLimits.memory, let larger = realloc(output.baseAddress, room) else {
        throw tooLarge()
      }
      output = UnsafeMutableRawBufferPointer(start: larger, count: room)
    }
    let room = min(output.count - length, Self.mostAtOnce)
    stream.next_out = (output.baseAddress! + length).assumingMemoryBound(to: Bytef.self)
    stream.avail_out = uInt(room)
    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
    length += room - Int(stream.avail_out)
    return status
  }

  private func trimmed() throws -> UnsafeMutableRawBufferPointer {
    guard length > 0 else { throw damaged("it holds nothing") }
    return UnsafeMutableRawBufferPointer(rebasing: output[..<length])
  }

  private func tooLarge() -> FITSError {
    FITSError(
      .tooLarge, path: path,
      fault: "needs more memory to be decompressed than its reader may have, "
        + "\(ReaderLimits.memory >> 20) MiB",
      nextStep: "decompress it with gunzip; a plain file of any size can be read")
  }
}
