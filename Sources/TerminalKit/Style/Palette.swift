// From roles and surfaces to looks. A value, so that the appearance screen can edit a detached copy.
// Colour never says anything alone: each role that matters also has an attribute or a glyph.

/// How something looks: colours and emphasis.
///
/// Nil means "as what lies beneath".
package struct Look: Hashable, Sendable {
  package var foreground: Colour?
  package var background: Colour?
  package var attributes: Attributes

  package init(
    _ foreground: Colour? = nil, on background: Colour? = nil, _ attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

/// What a driver needs to know of a style.
package struct ResolvedLook: Hashable, Sendable {
  package var foreground: Colour
  package var background: Colour
  package var attributes: Attributes

  package init(
    foreground: Colour = .standard, background: Colour = .standard, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

/// The looks of all roles and surfaces.
package struct Palette: Hashable, Sendable {
  package var name: String
  package var roles: [Role: Look]
  package var surfaces: [Surface: Look]

  package init(name: String, roles: [Role: Look], surfaces: [Surface: Look]) {
    self.name = name
    self.roles = roles
    self.surfaces = surfaces
  }

  /// The look of a style on a terminal with that many colours (0 for none at all).
  ///
  /// On a selection and a focused button the surface's foreground wins, for contrast: the role keeps
  /// its emphasis, not its colour. Elsewhere it is for roles that have no colour of their own.
  package func resolve(_ style: Style, colours: Int) -> ResolvedLook {
    let role = roles[style.role] ?? Look()
    let surface = surfaces[style.surface] ?? Look()
    var attributes = role.attributes.union(style.attributes)
    // Reverse twice is not reverse at all: text in reverse on a reversed surface stands out by
    // being the right way round.
    attributes = attributes.symmetricDifference(surface.attributes.intersection(.reverse))
    attributes.formUnion(surface.attributes.subtracting(.reverse))
    let isStrong = Self.strongSurfaces.contains(style.surface)
    let chosen =
      isStrong ? surface.foreground ?? role.foreground : role.foreground ?? surface.foreground
    let foreground = chosen ?? .standard
    let background = surface.background ?? role.background ?? .standard
    guard colours >= 8 else {
      return ResolvedLook(
        foreground: .standard, background: .standard,
        attributes: mono(attributes, surface: style.surface))
    }
    var result = ResolvedLook(
      foreground: foreground.reduced(to: colours), background: background.reduced(to: colours),
      attributes: attributes)
    // A grey has no like among eight colours: the nearest is black or white, which a background may
    // be. What is beneath lends its colour, and the emphasis says that this is worth less.
    if colours < 16, foreground.isMiddleGrey {
      result.foreground = (surface.foreground ?? .standard).reduced(to: colours)
      result.attributes.formUnion(.dim)
    }
    if result.foreground == result.background, result.foreground != .standard {
      result.foreground = .standard
      result.background = .standard
      result.attributes.formSymmetricDifference(.reverse)
    }
    return result
  }

  private static let strongSurfaces: Set<Surface> = [.selection, .focusedButton, .marked]

  /// Without colours surfaces must show by emphasis.
  private func mono(_ attributes: Attributes, surface: Surface) -> Attributes {
    switch surface {
    case .page, .dialog, .button: return attributes
    case .selection, .bar, .focusedButton: return attributes.union(.reverse)
    case .idleSelection, .marked: return attributes.union(.bold)
    case .field: return attributes.union(.underline)
    case .focusedField: return attributes.union([.underline, .bold])
    }
  }
}

extension Palette {
  /// For dark backgrounds.
  package static let dark = Palette(
    name: "dark",
    roles: [
      .text: Look(), .dim: Look(.indexed(8)), .title: Look(nil, [.bold]),
      .heading: Look(.indexed(6), [.bold]), .key: Look(.indexed(14), [.bold]),
      .accent: Look(.indexed(14)), .success: Look(.indexed(10)),
      .warning: Look(.indexed(11), [.bold]), .error: Look(.indexed(9), [.bold]),
      .border: Look(.indexed(8)), .activeBorder: Look(.indexed(14)), .label: Look(.indexed(6)),
      .placeholder: Look(.indexed(8)), .match: Look(nil, [.bold, .underline]),
      .changed: Look(.indexed(11)), .symbol: Look(.indexed(13)),
      .inserted: Look(.indexed(10)), .removed: Look(.indexed(9)),
    ],
    surfaces: [
      .page: Look(), .selection: Look(.indexed(15), on: .indexed(24), [.bold]),
      .idleSelection: Look(.indexed(252), on: .indexed(237)), .marked: Look(.indexed(11), [.bold]),
      .bar: Look(.indexed(252), on: .indexed(236)), .dialog: Look(.indexed(252), on: .indexed(235)),
      .field: Look(.indexed(252), on: .indexed(236)),
      .focusedField: Look(.indexed(15), on: .indexed(238)),
      .button: Look(.indexed(252), on: .indexed(238)),
      .focusedButton: Look(.indexed(15), on: .indexed(24), [.bold]),
    ])

  /// For light backgrounds.
  package static let light = Palette(
    name: "light",
    roles: [
      .text: Look(), .dim: Look(.indexed(242)), .title: Look(nil, [.bold]),
      .heading: Look(.indexed(25), [.bold]), .key: Look(.indexed(25), [.bold]),
      .accent: Look(.indexed(25)), .success: Look(.indexed(28)),
      .warning: Look(.indexed(130), [.bold]), .error: Look(.indexed(160), [.bold]),
      .border: Look(.indexed(246)), .activeBorder: Look(.indexed(25)), .label: Look(.indexed(25)),
      .placeholder: Look(.indexed(245)), .match: Look(nil, [.bold, .underline]),
      .changed: Look(.indexed(130)), .symbol: Look(.indexed(90)),
      .inserted: Look(.indexed(28)), .removed: Look(.indexed(160)),
    ],
    surfaces: [
      .page: Look(), .selection: Look(.indexed(16), on: .indexed(153), [.bold]),
      .idleSelection: Look(.indexed(235), on: .indexed(254)), .marked: Look(.indexed(130), [.bold]),
      .bar: Look(.indexed(235), on: .indexed(254)), .dialog: Look(.indexed(235), on: .indexed(255)),
      .field: Look(.indexed(235), on: .indexed(254)),
      .focusedField: Look(.indexed(16), on: .indexed(252)),
      .button: Look(.indexed(235), on: .indexed(252)),
      .focusedButton: Look(.indexed(16), on: .indexed(153), [.bold]),
    ])
}

extension Look {
  fileprivate init(_ foreground: Colour?, _ attributes: Attributes) {
    self.init(foreground, on: nil, attributes)
  }
}
