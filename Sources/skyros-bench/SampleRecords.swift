// Made-up places with names in several scripts: the same ones for the same seed, of any number.

/// A stream of places as CSV lines.
struct SampleRecords {
  static let header = "geoname_id,name,country,region,population,latitude,longitude,founded,notes"
  private static let countries = [
    "JP", "PT", "BR", "IN", "CN", "DE", "FR", "GR", "US", "MX", "NG", "KE", "ID", "TR", "RU", "EG",
  ]
  private static let latin = [
    "por", "to", "vi", "la", "san", "ta", "ma", "ri", "nor", "den", "burg", "ville", "ham", "est",
    "kas", "tro", "lin", "dé", "são", "grün",
  ]
  private static let japanese = [
    "札", "幌", "東", "京", "大", "阪", "山", "川", "島", "田", "中", "村", "北", "南", "松", "浜",
  ]
  private static let greek = ["Αθή", "να", "Σκύ", "ρος", "Χα", "νιά", "Πά", "τρα", "Θή", "βα"]
  private static let words = [
    "harbour", "old", "market", "river", "station", "quiet", "large", "temple", "north", "ferry",
    "festival", "coast", "hills", "bridge", "museum", "winter",
  ]

  private var state: UInt64
  private var number = 0

  init(seed: UInt64) { state = seed }

  /// The next place, as one line without its end.
  mutating func next() -> String {
    number += 1
    let name: String
    switch pick(10) {
    case 0..<6:
      let text = (0...(1 + pick(3))).map { _ in choose(Self.latin) }.joined()
      name = text.prefix(1).uppercased() + text.dropFirst()
    case 6..<9: name = (0...(1 + pick(2))).map { _ in choose(Self.japanese) }.joined()
    default: name = choose(Self.greek) + choose(Self.greek)
    }
    let notes = (0..<(2 + pick(6))).map { _ in choose(Self.words) }.joined(separator: " ")
    let population = pick(100) == 0 ? 1_000_000 + pick(30_000_000) : pick(900_000)
    let latitude = Double(pick(18_000_000) - 9_000_000) / 100_000
    let longitude = Double(pick(36_000_000) - 18_000_000) / 100_000
    let year = 800 + pick(1200)
    let date = "\(year < 1000 ? "0" : "")\(year)-0\(1 + pick(9))-1\(pick(10))"
    return "\(number),\(name),\(choose(Self.countries)),\(pick(90)),\(population),"
      + "\(latitude),\(longitude),\(date),\(notes)"
  }

  private mutating func choose(_ items: [String]) -> String { items[pick(items.count)] }

  private mutating func pick(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ z >> 31) % UInt64(bound))
  }
}
