// What `\p{…}` and `[:…:]` can name: the general categories of Unicode, short and long, some of
// its properties, and the scripts that are likeliest in a model. See Pattern.swift.

/// A property of a character's first scalar.
enum PatternProperty: Sendable {
  case any, ascii, assigned
  case categories(Set<Unicode.GeneralCategory>)
  case flag(Flag)
  case ranges([ClosedRange<UInt32>])

  enum Flag: String, Sendable {
    case alphabetic, uppercase, lowercase, whitespace, ideographic, emoji, math, hexdigit
  }

  /// Reads the inside of `\p{…}`; case, spaces, `_` and `-` make no difference there.
  init?(named text: String) {
    var name = Self.plain(text)
    if let sign = name.firstIndex(of: "=") {
      let (key, value) = (name[..<sign], String(name[name.index(after: sign)...]))
      switch key {
      case "gc", "generalcategory":
        guard let set = Self.category(value) else { return nil }
        self = .categories(set)
      case "sc", "script":
        guard let ranges = Self.scripts[value] else { return nil }
        self = .ranges(ranges)
      case "scx", "scriptextensions":
        guard let ranges = Self.scripts[value] else { return nil }
        self = .ranges(ranges + (Self.shared[value] ?? []))
      default: return nil
      }
      return
    }
    if name.hasPrefix("is"), name.count > 2 { name.removeFirst(2) }
    if let set = Self.category(name) {
      self = .categories(set)
    } else if let flag = Flag(rawValue: Self.shortFlags[name] ?? name) {
      self = .flag(flag)
    } else if let ranges = Self.scripts[name] {
      self = .ranges(ranges + (Self.shared[name] ?? []))
    } else {
      switch name {
      case "any": self = .any
      case "ascii": self = .ascii
      case "assigned": self = .assigned
      default: return nil
      }
    }
  }

  func contains(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    switch self {
    case .any: return true
    case .ascii: return character.unicodeScalars.count == 1 && scalar.isASCII
    case .assigned: return scalar.properties.generalCategory != .unassigned
    case .categories(let set): return set.contains(scalar.properties.generalCategory)
    case .flag(let flag): return flag.holds(scalar.properties)
    case .ranges(let ranges): return ranges.contains { $0.contains(scalar.value) }
    }
  }

  private static func plain(_ text: String) -> String {
    text.lowercased().filter { $0 != "_" && $0 != "-" && !$0.isWhitespace }
  }

  private static let shortFlags = [
    "alpha": "alphabetic", "upper": "uppercase", "lower": "lowercase", "wspace": "whitespace",
    "space": "whitespace", "ideo": "ideographic", "hex": "hexdigit",
  ]

  private static func category(_ name: String) -> Set<Unicode.GeneralCategory>? {
    if let (_, _, category) = categories.first(where: { $0.0 == name || $0.1 == name }) {
      return [category]
    }
    if name == "lc" || name == "l&" || name == "casedletter" {
      return [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]
    }
    let letter = groups[name] ?? name
    let group = categories.filter { $0.0.hasPrefix(letter) && letter.count == 1 }.map(\.2)
    return group.isEmpty ? nil : Set(group)
  }

  private static let groups = [
    "letter": "l", "mark": "m", "combiningmark": "m", "number": "n", "punctuation": "p",
    "punct": "p", "symbol": "s", "separator": "z", "other": "c",
  ]

  private static let categories: [(String, String, Unicode.GeneralCategory)] = [
    ("lu", "uppercaseletter", .uppercaseLetter), ("ll", "lowercaseletter", .lowercaseLetter),
    ("lt", "titlecaseletter", .titlecaseLetter), ("lm", "modifierletter", .modifierLetter),
    ("lo", "otherletter", .otherLetter), ("mn", "nonspacingmark", .nonspacingMark),
    ("mc", "spacingmark", .spacingMark), ("me", "enclosingmark", .enclosingMark),
    ("nd", "decimalnumber", .decimalNumber), ("nl", "letternumber", .letterNumber),
    ("no", "othernumber", .otherNumber), ("pc", "connectorpunctuation", .connectorPunctuation),
    ("pd", "dashpunctuation", .dashPunctuation), ("ps", "openpunctuation", .openPunctuation),
    ("pe", "closepunctuation", .closePunctuation),
    ("pi", "initialpunctuation", .initialPunctuation),
    ("pf", "finalpunctuation", .finalPunctuation), ("po", "otherpunctuation", .otherPunctuation),
    ("sm", "mathsymbol", .mathSymbol), ("sc", "currencysymbol", .currencySymbol),
    ("sk", "modifiersymbol", .modifierSymbol), ("so", "othersymbol", .otherSymbol),
    ("zs", "spaceseparator", .spaceSeparator), ("zl", "lineseparator", .lineSeparator),
    ("zp", "paragraphseparator", .paragraphSeparator), ("cc", "control", .control),
    ("cf", "format", .format), ("cs", "surrogate", .surrogate), ("co", "privateuse", .privateUse),
    ("cn", "unassigned", .unassigned),
  ]

  /// The characters of a script (Scripts.txt of Unicode 16, without the historic ones).
  private static let scripts: [String: [ClosedRange<UInt32>]] = [
    "hiragana": [0x3041...0x3096, 0x309D...0x309F, 0x1B001...0x1B11F, 0x1F200...0x1F200],
    "katakana": [
      0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0x32D0...0x32FE, 0x3300...0x3357,
      0xFF66...0xFF6F, 0xFF71...0xFF9D,
    ],
    "han": [
      0x2E80...0x2E99, 0x2E9B...0x2EF3, 0x2F00...0x2FD5, 0x3005...0x3005, 0x3007...0x3007,
      0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFA6D,
      0xFA70...0xFAD9, 0x20000...0x2A6DF, 0x2A700...0x2B739, 0x2B740...0x2B81D,
      0x2B820...0x2CEA1, 0x2CEB0...0x2EBE0, 0x2EBF0...0x2EE5D, 0x2F800...0x2FA1D,
      0x30000...0x3134A, 0x31350...0x323AF,
    ],
    "latin": [
      0x41...0x5A, 0x61...0x7A, 0xAA...0xAA, 0xBA...0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2B8,
      0x2E0...0x2E4, 0x1D00...0x1D25, 0x1D2C...0x1D5C, 0x1D62...0x1D65, 0x1D6B...0x1D77,
      0x1D79...0x1DBE, 0x1E00...0x1EFF, 0x2071...0x2071, 0x207F...0x207F, 0x2090...0x209C,
      0x212A...0x212B, 0x2132...0x2132, 0x214E...0x214E, 0x2160...0x2188, 0x2C60...0x2C7F,
      0xA722...0xA787, 0xA78B...0xA7CD, 0xA7D0...0xA7D1, 0xA7D3...0xA7D3, 0xA7D5...0xA7DC,
      0xA7F2...0xA7FF, 0xAB30...0xAB5A, 0xAB5C...0xAB64, 0xAB66...0xAB69, 0xFB00...0xFB06,
      0xFF21...0xFF3A, 0xFF41...0xFF5A,
    ],
    "greek": [
      0x370...0x373, 0x375...0x377, 0x37A...0x37D, 0x37F...0x37F, 0x384...0x384, 0x386...0x386,
      0x388...0x38A, 0x38C...0x38C, 0x38E...0x3A1, 0x3A3...0x3E1, 0x3F0...0x3FF, 0x1D26...0x1D2A,
      0x1D5D...0x1D61, 0x1D66...0x1D6A, 0x1DBF...0x1DBF, 0x1F00...0x1F15, 0x1F18...0x1F1D,
      0x1F20...0x1F45, 0x1F48...0x1F4D, 0x1F50...0x1F57, 0x1F59...0x1F59, 0x1F5B...0x1F5B,
      0x1F5D...0x1F5D, 0x1F5F...0x1F7D, 0x1F80...0x1FB4, 0x1FB6...0x1FC4, 0x1FC6...0x1FD3,
      0x1FD6...0x1FDB, 0x1FDD...0x1FEF, 0x1FF2...0x1FF4, 0x1FF6...0x1FFE, 0x2126...0x2126,
      0xAB65...0xAB65,
    ],
    "cyrillic": [
      0x400...0x484, 0x487...0x52F, 0x1C80...0x1C8A, 0x1D2B...0x1D2B, 0x1D78...0x1D78,
      0x2DE0...0x2DFF, 0xA640...0xA69F, 0xFE2E...0xFE2F,
    ],
    "hangul": [
      0x1100...0x11FF, 0x302E...0x302F, 0x3131...0x318E, 0x3200...0x321E, 0x3260...0x327E,
      0xA960...0xA97C, 0xAC00...0xD7A3, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB, 0xFFA0...0xFFBE,
      0xFFC2...0xFFC7, 0xFFCA...0xFFCF, 0xFFD2...0xFFD7, 0xFFDA...0xFFDC,
    ],
  ]

  /// What texts of a script use besides (ScriptExtensions.txt, first plane).
  private static let shared: [String: [ClosedRange<UInt32>]] = [
    "hiragana": [
      0x3001...0x3003, 0x3008...0x3011, 0x3013...0x301F, 0x3030...0x3035, 0x3037...0x3037,
      0x303C...0x303D, 0x3099...0x309C, 0x30A0...0x30A0, 0x30FB...0x30FC, 0xFE45...0xFE46,
      0xFF61...0xFF65, 0xFF70...0xFF70, 0xFF9E...0xFF9F,
    ],
    "katakana": [
      0x305...0x305, 0x323...0x323, 0x3001...0x3003, 0x3008...0x3011, 0x3013...0x301F,
      0x3030...0x3035, 0x3037...0x3037, 0x303C...0x303D, 0x3099...0x309C, 0x30A0...0x30A0,
      0x30FB...0x30FC, 0xFE45...0xFE46, 0xFF61...0xFF65, 0xFF70...0xFF70, 0xFF9E...0xFF9F,
    ],
    "han": [
      0xB7...0xB7, 0x2FF0...0x2FFF, 0x3001...0x3003, 0x3006...0x3006, 0x3008...0x3011,
      0x3013...0x301F, 0x302A...0x302D, 0x3030...0x3030, 0x3037...0x3037, 0x303C...0x303F,
      0x30FB...0x30FB, 0x3190...0x319F, 0x31C0...0x31E5, 0x31EF...0x31EF, 0x3220...0x3247,
      0x3280...0x32B0, 0x32C0...0x32CB, 0x32FF...0x32FF, 0x3358...0x3370, 0x337B...0x337F,
      0x33E0...0x33FE, 0xA700...0xA707, 0xFE45...0xFE46, 0xFF61...0xFF65,
    ],
    "latin": [
      0xB7...0xB7, 0x2BC...0x2BC, 0x2C7...0x2C7, 0x2C9...0x2CB, 0x2CD...0x2CD,
      0x2D7...0x2D7, 0x2D9...0x2D9, 0x300...0x30E, 0x310...0x311, 0x313...0x313,
      0x320...0x320, 0x323...0x325, 0x32D...0x32E, 0x330...0x331, 0x358...0x358,
      0x35E...0x35E, 0x363...0x36F, 0x485...0x486, 0x951...0x952, 0x10FB...0x10FB,
      0x1DF8...0x1DF8, 0x202F...0x202F, 0x20F0...0x20F0, 0x2E17...0x2E17, 0xA700...0xA707,
      0xA92E...0xA92E,
    ],
    "greek": [
      0xB7...0xB7, 0x300...0x301, 0x304...0x304, 0x306...0x306, 0x308...0x308,
      0x313...0x313, 0x342...0x342, 0x345...0x345, 0x374...0x374, 0x1DC0...0x1DC1,
      0x205D...0x205D,
    ],
    "cyrillic": [
      0x2BC...0x2BC, 0x300...0x302, 0x304...0x304, 0x306...0x306, 0x308...0x308,
      0x30B...0x30B, 0x311...0x311, 0x485...0x486, 0x1DF8...0x1DF8, 0x2E43...0x2E43,
    ],
    "hangul": [
      0x3001...0x3003, 0x3008...0x3011, 0x3013...0x301F, 0x3030...0x3030, 0x3037...0x3037,
      0x30FB...0x30FB, 0xFE45...0xFE46, 0xFF61...0xFF65,
    ],
  ]
}

extension PatternProperty.Flag {
  func holds(_ properties: Unicode.Scalar.Properties) -> Bool {
    switch self {
    case .alphabetic: properties.isAlphabetic
    case .uppercase: properties.isUppercase
    case .lowercase: properties.isLowercase
    case .whitespace: properties.isWhitespace
    case .ideographic: properties.isIdeographic
    case .emoji: properties.isEmoji
    case .math: properties.isMath
    case .hexdigit: properties.isHexDigit
    }
  }
}
