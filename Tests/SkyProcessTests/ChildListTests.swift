import Foundation
import TestSupport
import Testing

@testable import SkyProcess

#if os(Linux)
  @Suite("Who is whose child")
  struct ChildListTests {
    @Test("A kernel with lists of children and one without tell the same")
    func both() throws {
      let (reading, writing) = (try makePipe(), try makePipe())
      let child = try spawn(
        "/bin/cat", [], [:], input: reading.reading.fileDescriptor,
        output: writing.writing.fileDescriptor,
        errors: STDERR_FILENO)
      for hasLists in [true, false] {
        #expect(ChildList(hasLists: hasLists).children(of: getpid()).contains(child))
        #expect(!ChildList(hasLists: hasLists).children(of: 1).contains(child))
      }
      try reading.writing.close()
      while waitpid(child, nil, 0) < 0, errno == EINTR {}
      #expect(!ChildList(hasLists: false).children(of: getpid()).contains(child))
    }
  }
#endif
