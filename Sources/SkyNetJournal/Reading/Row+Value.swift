import GRDB

extension Row {
  /// A value of a row. GRDB's subscript ends the process if the value has another type, and a
  /// damaged file may hold any value.
  ///
  /// - Throws: ``JournalError`` if the value has another type or is NULL.
  func value<Value: DatabaseValueConvertible>(_ index: Int, _ path: String) throws -> Value {
    guard let value: Value = try optional(index, path) else {
      throw JournalError.damaged(path, "a value is missing")
    }
    return value
  }

  /// A value of a row, or `nil` if it is NULL.
  func optional<Value: DatabaseValueConvertible>(_ index: Int, _ path: String) throws -> Value? {
    let stored: DatabaseValue = self[index]
    if stored.isNull { return nil }
    guard let value = Value.fromDatabaseValue(stored) else {
      throw JournalError.damaged(path, "a value has another type than its column")
    }
    return value
  }
}
