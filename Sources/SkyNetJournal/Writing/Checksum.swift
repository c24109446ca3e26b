import SkyNetCore

/// A checksum of a task's output: 64-bit FNV-1a (draft-eastlake-fnv) over the task's pass and
/// sector and the output's bytes.
///
/// SQLite checks the file's structure, but not the contents of rows.
func checksum(of bytes: UnsafeRawBufferPointer, for task: TaskID) -> Int {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for number in [task.pass, task.sector] {
    hash = (hash ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01b3
  }
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return Int(Int64(bitPattern: hash))
}
