extension ReaderProcess {
  /// The images of a file.
  ///
  /// - Throws: ``FITSError``.
  func images(of file: InputFile) throws -> [FITSImageUnit] {
    let (answer, reader): (ReaderAnswer, Reader)
    do throws(ReaderEnding) {
      (answer, reader) = try begin(
        .list(size: file.size), descriptors: [file.descriptor], bytes: file.size)
    } catch {
      throw error.error(path: file.path)
    }
    release(reader)
    switch answer {
    case .listed(let images): return images
    case .failed(let error): throw error.at(file.path)
    default: throw refuse(answer, of: reader).error(path: file.path)
    }
  }
}
