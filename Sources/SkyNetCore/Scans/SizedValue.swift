/// A sector or an output of which it is known, without coding it, that a message has room for it.
///
/// What stays in this process is coded only to find out whether it could be sent. Where a task takes less time than that
/// takes, its values say so themselves.
package protocol SizedValue {
  /// At least as many bytes as its JSON has, and as many as its bulk bytes are.
  var sizeBound: (json: Int, bulk: Int) { get }
}
