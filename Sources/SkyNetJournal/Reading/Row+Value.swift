import GRDB

extension Row {
  /// A value of a row. The subscript of a row ends the process where the value is of another kind,
  /// and a file may hold anything.
  ///
  /// - Throws: ``JournalError`` if it is of another kind.
  func value<Value: DatabaseValueConvertible>(_ index: Int, _ path: String) throws -> Value {
    guard let value: Value = try optional(index, path) else {
      throw JournalError.damaged(path, "a value that has to be there is not")
    }
    return value
  }

  /// The same, of one that may not be there.
  func optional<Value: DatabaseValueConvertible>(_ index: Int, _ path: String) throws -> Value? {
    let stored: DatabaseValue = self[index]
    if stored.isNull { return nil }
    guard let value = Value.fromDatabaseValue(stored) else {
      throw JournalError.damaged(path, "a value is of another kind than its column")
    }
    return value
  }
}
