extension Seeds {
  static let helloText =
    #"{"protocolVersion":1,"software":"0.1.0","name":"a","#
    + #""incarnation":"2C9505C8-92FE-4B11-BCF3-84F3FBD151B6","slots":4,"timeoutSeconds":5,"#
    + #""heldBytes":1048576,"scans":["simulated\/1","sources\/1"]}"#
  static let failureText = #"{"fault":"task","message":"the shutter is stuck","seconds":0.0004}"#

  static let hello: Named = [
    "empty": [],
    "plain": utf8(helloText),
    "another-version": utf8(#"{"protocolVersion":7,"who":["something","else"]}"#),
    "unknown-fields": utf8(changed(helloText, #"{"#, #"{"colour":{"of":[null,true,-1.5e3]},"#)),
    "escapes": utf8(changed(helloText, #""a""#, #""\u0000\"\ud83d\ude80é🚀""#)),
    "half-a-surrogate": utf8(changed(helloText, #""a""#, #""\ud800""#)),
    "not-utf-8": utf8(#"{"protocolVersion":1,"name":""#) + [0xC3, 0x28, 0xFF] + utf8(#""}"#),
    "utf-16": [0xFF, 0xFE] + helloText.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    "byte-order-mark": [0xEF, 0xBB, 0xBF] + utf8(helloText),
    "nan": utf8(changed(helloText, #":5,"#, ":NaN,")),
    "timeout-huge": utf8(changed(helloText, #":5,"#, ":1e308,")),
    "timeout-infinite": utf8(changed(helloText, #":5,"#, ":1e309,")),
    "timeout-tiny": utf8(changed(helloText, #":5,"#, ":5e-324,")),
    "slots-huge": utf8(changed(helloText, #":4,"#, ":9223372036854775808,")),
    "slots-negative": utf8(changed(helloText, #":4,"#, ":-1,")),
    "slots-exponent": utf8(changed(helloText, #":4,"#, ":4e0,")),
    "digits": utf8(
      changed(helloText, #":4,"#, ":" + String(repeating: "9", count: 2000) + ",")),
    "scan-without-version": utf8(changed(helloText, #"\/1""#, #"""#)),
    "same-field-twice": utf8(changed(helloText, #"{"#, #"{"protocolVersion":2,"#)),
    "truncated": utf8(String(helloText.dropLast(20))),
    "arrays-deep": nested("[", "]", depth: 2000),
    "objects-deep": nested(#"{"a":"#, "}", depth: 600),
    "arrays-deepest-read": utf8(#"{"protocolVersion":1,"x":"#) + nested("[", "]", depth: 511)
      + utf8("}"),
  ]

  static let goodbye: Named = [
    "plain": utf8(#"{"message":"leaving"}"#),
    "with-code": utf8(#"{"code":"tooLarge","message":"a call frame is too large"}"#),
    "unknown-code": utf8(#"{"code":"bored","message":""}"#),
    "null": utf8(#"{"code":null,"message":"\u001b[2J"}"#),
    "arrays-deep": nested("[", "]", depth: 2000),
  ]

  static let failure: Named = [
    "plain": utf8(failureText),
    "system": utf8(#"{"fault":"system","message":"unknown kind","seconds":0}"#),
    "draining": utf8(#"{"fault":"draining","message":"","seconds":0}"#),
    "unsuited": utf8(#"{"fault":"unsuited","message":"has no /data","seconds":0}"#),
    "unmendable": utf8(#"{"fault":"unmendable","message":"column 7 is missing","seconds":0}"#),
    "cancelled": utf8(#"{"fault":"cancelled","message":"cancelled","seconds":0}"#),
    "unknown-fault": utf8(#"{"fault":"moon","message":"","seconds":0}"#),
    "seconds-huge": utf8(#"{"fault":"task","message":"","seconds":1e308}"#),
    "seconds-negative": utf8(#"{"fault":"task","message":"","seconds":-1.5}"#),
    "seconds-missing": utf8(#"{"fault":"task","message":""}"#),
    "arrays-deep": nested("[", "]", depth: 2000),
  ]

  static func changed(_ text: String, _ old: String, _ new: String) -> String {
    text.firstRange(of: old).map { text.replacingCharacters(in: $0, with: new) } ?? text
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with new: String) -> String {
    var text = self
    text.replaceSubrange(range, with: new)
    return text
  }
}
