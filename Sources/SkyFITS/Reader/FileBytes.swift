import CZlib
import Foundation

/// All bytes of a FITS file: mapped, or inflated if the file is gzipped.
///
/// It is not `Sendable`, because it belongs to one open file.
final class FileBytes {
  let start: UnsafeMutableRawPointer
  let count: Int
  /// The number of bytes that can be read: zeros fill up the last block, where the file lacks them. CFITSIO
  /// reads whole blocks.
  let filledCount: Int
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
    let filled = DataUnit.filled(size) ?? size
    let mapped = try Self.map(descriptor, size, filled: filled, path)
    let bytes = UnsafeRawBufferPointer(start: mapped, count: size)
    guard FileSignature(start: bytes) == .gzip else {
      (start, count, filledCount, isMapped) = (mapped, size, filled, true)
      return
    }
    defer { munmap(mapped, filled) }
    var inflation = Inflation(path: path)
    let (contents, length) = try inflation.inflate(bytes)
    (start, count, filledCount, isMapped) = (
      contents, length, DataUnit.filled(length) ?? length, false
    )
  }

  /// Maps the file, with zeros behind it up to the filled number of bytes. The kernel fills up the file's last
  /// page only, and a block may reach beyond it.
  private static func map(
    _ descriptor: CInt, _ size: Int, filled: Int, _ path: String
  ) throws -> UnsafeMutableRawPointer {
    var room: UnsafeMutableRawPointer?
    if filled > size {
      room = mmap(nil, filled, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    }
    if room != MAP_FAILED {
      let flags = MAP_PRIVATE | (room == nil ? 0 : MAP_FIXED)
      if let mapped = mmap(room, size, PROT_READ, flags, descriptor, 0), mapped != MAP_FAILED {
        return mapped
      }
    }
    let reason = errno
    if let room, room != MAP_FAILED { munmap(room, filled) }
    throw FITSError(
      .notReadable, path: path,
      fault: "cannot be mapped into memory (\(String(cString: strerror(reason))))",
      nextStep: "see whether the memory or the address space of this process is limited")
  }

  deinit {
    if isMapped { munmap(start, filledCount) } else { free(start) }
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

  /// Returns memory that the caller frees, and how many of its bytes were inflated. Zeros fill up the last block.
  mutating func inflate(
    _ input: UnsafeRawBufferPointer
  ) throws -> (start: UnsafeMutableRawPointer, length: Int) {
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
          guard FileSignature(start: rest) == .gzip else { return try filled() }
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
    if length == output.count { try makeRoom(max(1 << 20, output.count * 2)) }
    let room = min(output.count - length, Self.mostAtOnce)
    stream.next_out = (output.baseAddress! + length).assumingMemoryBound(to: Bytef.self)
    stream.avail_out = uInt(room)
    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
    length += room - Int(stream.avail_out)
    return status
  }

  private mutating func makeRoom(_ room: Int) throws {
    guard room <= ReaderLimits.memory, let larger = realloc(output.baseAddress, room) else {
      throw tooLarge()
    }
    output = UnsafeMutableRawBufferPointer(start: larger, count: room)
  }

  private mutating func filled() throws -> (start: UnsafeMutableRawPointer, length: Int) {
    guard length > 0 else { throw damaged("it holds nothing") }
    let filled = DataUnit.filled(length) ?? length
    if filled > output.count { try makeRoom(filled) }
    guard let start = output.baseAddress else { throw damaged("it holds nothing") }
    (start + length).initializeMemory(as: UInt8.self, repeating: 0, count: filled - length)
    return (start, length)
  }

  private func tooLarge() -> FITSError {
    FITSError(
      .tooLarge, path: path,
      fault: "needs more memory to be decompressed than its reader may have, "
        + "\(ReaderLimits.memory >> 20) MiB",
      nextStep: "decompress it with gunzip; a plain file of any size can be read")
  }
}
