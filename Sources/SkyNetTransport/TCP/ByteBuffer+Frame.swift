import NIOCore
import SkyNetCore

extension ByteBuffer {
  mutating func writeFrame(_ frame: Frame) {
    frame.header.withBytes { _ = writeBytes($0) }
    writeBytes(frame.body)
  }
}
