// What patterns can say, what is refused, and what a match costs at most.

import Records
import Testing

struct PatternTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let pattern: String
    let matching: [String]
    let others: [String]
    var testDescription: String { pattern }

    init(_ pattern: String, _ matching: [String], not others: [String]) {
      self.pattern = pattern
      self.matching = matching
      self.others = others
    }
  }

  static let characters = [
    Example("", [""], not: ["a"]),
    Example("abc", ["abc"], not: ["ab", "abcd", "xabc"]),
    Example("a.c", ["abc", "a🇬🇷c", "ae\u{301}c"], not: ["a\nc", "a\r\nc", "ac"]),
    Example("(?s)a.c", ["a\nc", "a\r\nc"], not: ["ac"]),
    Example("é", ["é", "e\u{301}"], not: ["e"]),
    Example("e\\u0301", ["é", "e\u{301}"], not: ["e"]),
    Example("\\.\\*\\-\\/\\ ", [".*-/ "], not: ["a"]),
    Example("a{b}c]", ["a{b}c]"], not: ["abc"]),
    Example("\\t\\n\\x41\\u0042\\u{43}\\U00000044\\0", ["\t\nABCD\0"], not: [""]),
    Example("\\Qa.b\\E", ["a.b"], not: ["axb"]),
    Example("\\d{3}-\\d{4}", ["123-4567", "１２３-４５６７"], not: ["123-456", "abc-defg"]),
    Example("(?D)\\d", ["1"], not: ["１"]),
    Example("\\w+", ["aZ_9é日"], not: ["a-b", "", " "]),
    Example("\\s", [" ", "\t", "\r\n", "\u{3000}"], not: ["a"]),
    Example("\\D\\W\\S", ["a-b"], not: ["1-b", "aab", "a- "]),
    Example("\\h\\v\\R\\X", ["\t\n\r\né"], not: ["abcd"]),
    Example("\\p{L}+", ["aé日"], not: ["a1", ""]),
    Example("\\p{Lu}\\p{Ll}\\P{N}", ["Aa-"], not: ["aa-", "AA-", "Aa1"]),
    Example("\\p{Letter}\\p{gc=Nd}\\p{Punctuation}", ["a1!"], not: ["11!"]),
    Example("\\p{Han}\\p{Hiragana}\\p{sc=Katakana}", ["漢あア"], not: ["あ漢ア"]),
    Example("\\p{Alphabetic}\\p{ASCII}\\p{Any}", ["éa日"], not: ["-a日", "aéa"]),
  ]

  static let sets = [
    Example("[a-cx]+", ["abcx"], not: ["d", "-", "é"]),
    Example("[^a-c]", ["d", "\n"], not: ["a", "b"]),
    Example("[\\d.-]+", ["1.5-"], not: ["a"]),
    Example("[-+]?[.$^*]", ["-.", "+$", "^", "*"], not: ["a"]),
    Example("[\\]\\[\\^\\\\]+", ["][^\\"], not: ["a"]),
    Example("[\\b]", ["\u{8}"], not: ["b"]),
    Example("[à-ý]", ["é", "e\u{301}"], not: ["e", "z", "q\u{301}"]),
    Example("[가-힣]", ["한", "\u{1112}\u{1161}\u{11AB}"], not: ["a"]),
    Example("[ぁ-んー一-龠]+", ["か\u{3099}ー漢"], not: ["ア"]),
    Example("[a-z&&[^b]]", ["a"], not: ["b", "&"]),
    Example("[a-c--b]", ["a", "c"], not: ["b", "-"]),
    Example("[a-c~~b-d]", ["a", "d"], not: ["b", "c"]),
    Example("[[:alpha:]][[:^digit:]]", ["a-"], not: ["a1", "11"]),
    Example("(?i)[a-c]É", ["Bé", "be\u{301}"], not: ["dé"]),
    Example("(?i)[^a]", ["b"], not: ["a", "A"]),
  ]

  static let shapes = [
    Example("^a$", ["a"], not: ["a\n", ""]),
    Example("\\Aa\\z", ["a"], not: ["b"]),
    Example("a\\Z\\n", ["a\n"], not: ["a"]),
    Example("a$\\nb", [], not: ["a\nb"]),
    Example("(?m)a$\\n^b", ["a\nb"], not: ["ab"]),
    Example("a|bc|", ["a", "bc", ""], not: ["b", "abc"]),
    Example("(a|ab)(c|bcd)", ["ac", "abcd", "abc"], not: ["ab"]),
    Example("(?:ab)+(?<n>c)(?P<m>d)", ["abcd", "ababcd"], not: ["cd"]),
    Example("a*b+c?", ["b", "aabbc"], not: ["a", "bcc"]),
    Example("a*?b+?c??", ["b", "aabbc"], not: ["a", "bcc"]),
    Example("a{2}b{1,}c{1,2}d{,1}", ["aabbbc", "aabccd"], not: ["abc", "aabcccd"]),
    Example("a{0}", [""], not: ["a"]),
    Example("(a*)*(|b)+", ["", "aab", "bb"], not: ["ba"]),
    Example("(?i)abc", ["ABC", "aBc"], not: ["abd"]),
    Example("a(?i)b(?-i)c", ["aBc"], not: ["Abc", "abC"]),
    Example("(?i:a)b", ["Ab"], not: ["AB"]),
    Example("(?x) a b # and\n c(?#d)", ["abc"], not: ["a b c"]),
    Example("\\ba\\b.*", ["a b", "a"], not: ["ab"]),
    Example(".*\\Bb", ["ab"], not: ["a b"]),
    // UAX 29: no word ends between two letters and an apostrophe, or two digits and a point.
    Example("can\\b't|3\\b.5", [], not: ["can't", "3.5"]),
    Example("a\\b'|3\\b-5|漢\\b字", ["a'", "3-5", "漢字"], not: []),
  ]

  @Test(arguments: characters + sets + shapes)
  func `a pattern matches whole texts`(example: Example) throws {
    let pattern = try #require(Pattern(example.pattern))
    for text in example.matching { #expect(pattern.matches(text), "\(text.debugDescription)") }
    for text in example.others { #expect(!pattern.matches(text), "\(text.debugDescription)") }
  }

  @Test(arguments: [
    "[", "[]", "[a", "[b-a]", "[\\d-x]", "(", ")", "(a", "*", "a**", "a{2}{3}", "{2}", "a{2,1}",
    "^*", "\\b+", "\\", "\\q", "\\é", "\\p", "\\p{", "\\p{Nothing}", "\\u12", "\\x{110000}",
    "\\u{d800}", "(?q)a", "(?<a>x)(?<a>y)", "(?#", "[[:nothing:]]", "[a&&]",
  ])
  func `what is no regular expression is refused`(text: String) {
    #expect(Pattern(text) == nil)
    #expect((try? Regex(text)) == nil)
  }

  @Test(arguments: [
    "(a)\\1", "(?<n>a)\\k<n>", "(?=a)a", "(?!a)b", "(?<=a)b", "(?<!a)b", "(?>a)b", "a*+", "a++",
    "(?R)", "(?(1)a|b)", "(*ACCEPT)a", "(?u)a",
  ])
  func `what states can't tell is refused`(text: String) {
    #expect(Pattern(text) == nil)
  }

  @Test func `the states of a pattern are bounded`() {
    #expect(Pattern("a{19000}") != nil)
    #expect(Pattern("a{20001}") == nil)
    #expect(Pattern("a{0,30000}") == nil)
    #expect(Pattern("((a{1000}){1000}){1000}") == nil)
    #expect(Pattern("(((){60000}){60000}){60000}") == nil)
    #expect(Pattern("a{99999999999999999999}") == nil)
    let once = String(repeating: "(", count: 90) + "a" + String(repeating: "){1,1}", count: 90)
    #expect(Pattern(once)?.matches("a") == true)
    let nested = { String(repeating: "(", count: $0) + String(repeating: ")", count: $0) }
    #expect(Pattern(nested(Pattern.depthMax)) != nil)
    #expect(Pattern(nested(Pattern.depthMax + 1)) == nil)
    #expect(Pattern(String(repeating: "[", count: 100_000)) == nil)
    #expect(Pattern(String(repeating: "a", count: Pattern.statesMax)) == nil)
  }

  @Test(arguments: [
    "^(a+)+$", "(a*)*b", "(a|a)*", "(a|aa)+", "(.*)*x", "(a?){25}a{25}",
    "(([a-z])+.)+[A-Z]([a-z])+",
    "(a|b|ab)*c", "^(([a-z])+)+$", "((a{0,20}){0,20}){0,20}", "(?i)(\\w+\\s?)*!", "(\\b\\w*\\b)*!",
  ])
  func `a match costs no more than the text by the states`(text: String) throws {
    let pattern = try #require(Pattern(text))
    for count in [25, 1000] {
      let answer = pattern.match(String(repeating: "a", count: count) + "-")
      #expect(!answer.matches)
      // Each state is reached once and tried once, and asks its set.
      #expect(answer.steps <= 3 * (count + 2) * pattern.states, "\(answer.steps) steps")
    }
  }

  @Test func `a set of many parts is asked once a character, and counted`() throws {
    let parts = String(repeating: "b-c", count: 1000)
    let pattern = try #require(Pattern("([\(parts)a]?){1000}"))
    let answer = pattern.match(String(repeating: "a", count: 100))
    #expect(answer.matches)
    #expect(answer.steps >= 100 * 1000)
    #expect(answer.steps <= 100 * (4 * pattern.states + 1002))
  }

  @Test func `a text that costs too much is not checked`() throws {
    let pattern = try #require(Pattern("(a?){50}b"))
    let text = String(repeating: "a", count: 20)
    #expect(!pattern.matches(text))
    let answer = pattern.match(text, stepsMax: 300)
    #expect(answer.matches)
    #expect(answer.steps < 300 + 3 * pattern.states)
  }
}
