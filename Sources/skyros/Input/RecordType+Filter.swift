// A filter as it is typed after --where.

internal import Records

extension RecordType {
  func filter(_ text: String) throws(Failure) -> Filter {
    do {
      return try Filter.read(text, for: self, in: .system)
    } catch {
      throw .badFilter(text, mistake: error)
    }
  }
}
