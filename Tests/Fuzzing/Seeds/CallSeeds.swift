extension Seeds {
  static let simulatedTask =
    #"{"pass":0,"number":7,"run":"9f86d081884c7d65","kind":"simulated\/1","attempt":1,"#
    + #""settings":{"seconds":1,"failingEvery":10},"sector":7}"#
  private static let triedTask =
    #"{"pass":0,"number":7,"run":"9f86d081884c7d65","kind":"simulated\/1","attempt":3,"#
    + #""hedge":true,"settings":{"seconds":1,"failingEvery":10,"seed":7},"sector":7}"#
  private static let spreadTask =
    #"{"pass":0,"number":7,"run":"9f86d081884c7d65","kind":"simulated\/1","attempt":1,"#
    + #""settings":{"failingEvery":0,"sectorBytes":4,"#
    + #""seconds":{"median":0.01,"spread":1.5,"seed":18446744073709551615}},"#
    + #""sector":{"number":7,"pixels":{"offset":0,"count":4}}}"#
  private static let sourcesTask =
    #"{"pass":0,"number":0,"run":"9f86d081884c7d65","kind":"sources\/1","attempt":1,"#
    + #""settings":{"threshold":1.5,"minimumArea":5},"#
    + #""sector":{"number":0,"x":0,"y":0,"width":2,"height":2,"#
    + #""coding":{"format":"int16","scale":1,"zero":32768,"blank":-1},"#
    + #""pixels":{"offset":0,"count":8}}}"#
  private static let fuzzedTask =
    #"{"pass":1,"number":0,"run":"9f86d081884c7d65","kind":"fuzzed\/1","attempt":1,"#
    + #""settings":{"factor":0.5,"mode":{"stacked":{"count":2,"filters":["red","green"]}},"#
    + #""labels":{"a":1,"é":-2}},"sector":{"pixels":{"offset":0,"count":2},"#
    + #""masks":[{"offset":2,"count":2},{"offset":4,"count":0}],"place":[[1.5,-2],[]]}}"#

  static let task: Named = [
    "simulated": utf8(simulatedTask),
    "tried": utf8(triedTask),
    "traced": utf8(
      changed(
        triedTask, #""hedge":true"#,
        #""trace":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}"#)),
    "traced-wrongly": utf8(changed(triedTask, #""hedge":true"#, #""trace":{"a":1,"a":[]}"#)),
    "spaced": utf8(
      triedTask.replacing(":", with: " : ").replacing(",", with: "\t,\r\n")),
    "member-unknown": utf8(changed(triedTask, #""hedge":true"#, #""later":[{"pass":1},"}"]"#)),
    "member-twice": utf8(changed(triedTask, #""hedge":true"#, #""pass":0"#)),
    "key-escaped": utf8(changed(triedTask, #""hedge""#, #""h\u0065dge""#)),
    "attempt-zero": utf8(changed(triedTask, #""attempt":3"#, #""attempt":0"#)),
    "attempt-huge": utf8(changed(triedTask, #""attempt":3"#, #""attempt":9223372036854775808"#)),
    "simulated-spread": withBulk(spreadTask, "abcd"),
    "spread-negative": withBulk(changed(spreadTask, "1.5", "-1.5e308"), "abcd"),
    "seed-huge": withBulk(
      changed(spreadTask, "18446744073709551615", "18446744073709551616"), "abcd"),
    "sector-bytes-negative": withBulk(
      changed(spreadTask, #""sectorBytes":4"#, #""sectorBytes":-4"#), "abcd"),
    "sources": withBulk(sourcesTask, "abcdefgh"),
    "fuzzed": withBulk(fuzzedTask, "abcd"),
    "mode-plain": withBulk(
      changed(fuzzedTask, #"{"stacked":{"count":2,"filters":["red","green"]}}"#, #"{"plain":{}}"#),
      "abcd"),
    "bulk-missing": utf8(sourcesTask),
    "bulk-shared": withBulk(changed(fuzzedTask, #""offset":2"#, #""offset":1"#), "abcd"),
    "bulk-past-end": withBulk(changed(sourcesTask, #""offset":0"#, #""offset":1"#), "abcdefgh"),
    "bulk-overflow": withBulk(
      changed(sourcesTask, #""offset":0"#, #""offset":9223372036854775807"#), "abcdefgh"),
    "bulk-negative": withBulk(changed(sourcesTask, #""count":8"#, #""count":-8"#), "abcdefgh"),
    "number-huge": utf8(changed(simulatedTask, ":7,", ":9223372036854775807,")),
    "unknown-kind": utf8(changed(simulatedTask, #"simulated\/1"#, #"simulated\/2"#)),
    "kind-of-no-version": utf8(changed(simulatedTask, #"simulated\/1"#, "simulated")),
    "arrays-deep": nested("[", "]", depth: 2000),
    "sector-deep": utf8(
      #"{"pass":0,"number":0,"run":"9f86d081884c7d65","kind":"simulated\/1","attempt":1,"sector":7,"#
        + #""settings":"#) + nested(#"{"a":"#, "}", depth: 500) + utf8("}"),
  ]

  static let result: Named = [
    "simulated": utf8(#"{"kind":"simulated\/1","output":"7","seconds":1.002,"queued":0}"#),
    "sources": utf8(
      #"{"kind":"sources\/1","output":[{"x":10.5,"y":3,"xx":1.2,"yy":1.1,"xy":-0.1,"#
        + #""flux":16450.5,"peak":1102.018,"area":83,"xMin":8,"yMin":1,"xMax":12,"yMax":5}],"#
        + #""seconds":0.0021,"queued":0.5}"#),
    "sources-none": utf8(#"{"kind":"sources\/1","output":[],"seconds":0.002,"queued":0}"#),
    "sources-huge": utf8(
      #"{"kind":"sources\/1","output":[{"x":1e308,"y":-1e308,"xx":1e308,"yy":-1e308,"xy":1e308,"#
        + #""flux":1e308,"peak":3e38,"area":-2147483648,"xMin":0,"yMin":0,"xMax":0,"yMax":0}],"#
        + #""seconds":0,"queued":0}"#),
    "fuzzed": withBulk(
      #"{"kind":"fuzzed\/1","output":{"found":18446744073709551615,"when":-978307200,"#
        + #""cut":{"offset":1,"count":2}},"seconds":0.1,"queued":0}"#, "abcd"),
    "seconds-huge": utf8(#"{"kind":"simulated\/1","output":"7","seconds":1e308,"queued":0}"#),
    "seconds-negative": utf8(#"{"kind":"simulated\/1","output":"7","seconds":-1.5,"queued":0}"#),
    "queued-huge": utf8(
      #"{"kind":"simulated\/1","output":"7","seconds":-1e308,"queued":-1e308}"#),
    "arrays-deep": nested("[", "]", depth: 2000),
  ]

  private static let busyStatus =
    #"{"slots":4,"running":{"engage":4},"waiting":{"engage":16,"é":1},"#
    + #""done":{"engage":1203,"others":7},"failed":3,"load":3.97,"#
    + #""scans":[{"sector":7,"pass":0,"client":"engage","seconds":0.7}],"engagements":[],"#
    + #""isDraining":true,"drainedBy":"ada@lab"}"#

  static let status: Named = [
    "busy": utf8(busyStatus),
    "idle": utf8(
      #"{"slots":4,"running":{},"waiting":{},"done":{},"failed":0,"scans":[],"engagements":[],"#
        + #""isDraining":false}"#),
    "failed-negative": utf8(changed(busyStatus, #""failed":3"#, #""failed":-3"#)),
    "done-huge": utf8(changed(busyStatus, "1203", "9223372036854775807")),
    "load-huge": utf8(changed(busyStatus, "3.97", "1e308")),
    "name-twice": utf8(changed(busyStatus, "others", "engage")),
    "arrays-deep": nested("[", "]", depth: 2000),
  ]

  private static func withBulk(_ body: String, _ bulk: String) -> [UInt8] {
    utf8(body) + [0] + utf8(bulk)
  }
}
