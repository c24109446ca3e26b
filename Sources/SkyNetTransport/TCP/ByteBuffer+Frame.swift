import NIOCore
import SkyNetCore

extension ByteBuffer {
  mutating func writeFrame(_ frame: Frame) {
    writeWithUnsafeMutableBytes(minimumWritableBytes: FrameHeader.byteCount) { bytes in
      frame.header.write(to: bytes)
      return FrameHeader.byteCount
    }
    writeBytes(frame.body)
  }
}
