import TerminalKit
import Testing

@Suite struct PaletteTests {
  @Test(arguments: [Palette.dark, .light], [0, 8, 16, 256])
  func `every style can be read, and a selection is told from a page`(
    palette: Palette, colours: Int
  ) {
    for role in Role.allCases {
      for surface in Surface.allCases {
        let look = palette.resolve(Style(role, on: surface), colours: colours)
        let isSame = look.foreground == look.background && look.foreground != .standard
        #expect(!isSame, "\(role) on \(surface)")
        for case .indexed(let index) in [look.foreground, look.background] {
          #expect(Int(index) < colours)
        }
        // A background of our own never stands under a colour that the terminal chooses.
        if look.background != .standard {
          #expect(look.foreground != .standard, "\(role) on \(surface)")
        }
      }
      let page = palette.resolve(Style(role, on: .page), colours: colours)
      #expect(page != palette.resolve(Style(role, on: .selection), colours: colours))
    }
  }

  @Test(arguments: [Palette.dark, .light])
  func `what is dim is not black or white of its own where there are eight colours`(
    palette: Palette
  ) {
    for role in [Role.dim, .border, .placeholder] {
      let page = palette.resolve(Style(role), colours: 8)
      #expect(page == ResolvedLook(attributes: .dim), "\(role)")
      let bar = palette.resolve(Style(role, on: .bar), colours: 8)
      #expect(bar.foreground == palette.resolve(Style(.text, on: .bar), colours: 8).foreground)
      #expect(!bar.attributes.contains(.reverse))
      #expect(!palette.resolve(Style(role), colours: 256).attributes.contains(.dim))
    }
  }

  @Test func `colours are read by the names they are written with`() {
    for name in ["default", "red", "bright-blue", "208"] {
      #expect(Colour(named: name)?.name == name)
    }
    #expect(Colour(named: "#ff8700")?.name == "208")
    #expect(Colour(named: "256") == nil)
    #expect(Colour(named: "reddish") == nil)
    #expect(Role(name: "error") == .error)
    #expect(Surface(name: "selection") == .selection)
  }

  @Test(arguments: [
    ("11;rgb:ffff/ffff/ffff", TerminalBackground.light), ("11;rgb:1e/1e/2e", .dark),
    ("11;rgba:0000/0000/0000/ffff", .dark), ("10;rgb:ff/ff/ff", nil), ("11;rgb:zz/00/00", nil),
  ])
  func `a terminal's answer tells light from dark`(reply: String, expected: TerminalBackground?) {
    #expect(TerminalBackground(reply: reply) == expected)
  }
}
