// Which libraries there are: opening another one, making one from a template. UI actor. What is
// remembered, and where the templates come from, the program says.

internal import Observation
package import RecordStore
package import Records
package import UILoop

/// A library that was open before.
package struct KnownLibrary: Sendable, Hashable, Identifiable {
  package let path: String
  package let name: String

  package var id: String { path }

  package init(path: String) {
    self.path = path
    name = LibraryPlace.name(of: path)
  }
}

/// A model to start a library with.
package struct LibraryTemplate: Sendable, Hashable, Identifiable {
  package let name: String
  package let model: Model

  package var id: String { name }

  package init(name: String, model: Model) {
    self.name = name
    self.model = model
  }
}

/// All that the switcher shows.
package struct LibrarySwitcherState: Sendable, Hashable {
  /// The last opened first.
  package var known: [KnownLibrary]
  /// The one that is open now.
  package var current: String?
  /// The one that is being opened or made.
  package var opening: String?
  /// The library at the path could not be opened or made; the one that is open stays open.
  package var failure: Failure?
}

/// What a person can do about libraries.
@UI @Observable
package final class LibrarySwitcher {
  /// Libraries remembered; the oldest are let go first.
  package static let knownMax = 50

  package private(set) var state: LibrarySwitcherState

  /// Read when they are first looked at: the first screen does not wait for them.
  @ObservationIgnored package private(set) lazy var templates = readTemplates()
  @ObservationIgnored private let readTemplates: () -> [LibraryTemplate]

  @ObservationIgnored private let surroundings: Surroundings
  @ObservationIgnored private let remember: @UI ([String]) -> Void

  /// - Parameters:
  ///   - known: Paths of libraries, the last opened first.
  ///   - remember: Keeps the paths for the next session.
  package init(
    known: [String], current: String?, templates: @escaping @autoclosure () -> [LibraryTemplate],
    surroundings: Surroundings, remember: @escaping @UI ([String]) -> Void
  ) {
    readTemplates = templates
    self.surroundings = surroundings
    self.remember = remember
    state = LibrarySwitcherState(
      known: known.map { KnownLibrary(path: $0) }, current: current)
  }

  /// Opens a library; nothing, and `state.failure`, if that fails.
  package func open(_ path: String) async -> Library? {
    await take(path) { try await Library.open(at: path, surroundings: $0) }
  }

  /// Makes a library from a template, and opens it.
  ///
  /// - Parameter path: Of the folder; `.skyros` is added where it is missing.
  package func create(at path: String, from template: LibraryTemplate) async -> Library? {
    let place = path.hasSuffix(LibraryPlace.ending) ? path : path + LibraryPlace.ending
    return await take(place) {
      try await Library.create(at: place, model: template.model, surroundings: $0)
    }
  }

  /// Forgets a library; its files stay as they are.
  package func forget(_ path: String) {
    state.known.removeAll { $0.path == path }
    remember(state.known.map(\.path))
  }

  private func take(
    _ path: String, _ body: (Surroundings) async throws -> Library
  ) async -> Library? {
    guard state.opening == nil else { return nil }
    state.opening = path
    state.failure = nil
    defer { state.opening = nil }
    do {
      let library = try await body(surroundings)
      state.current = path
      state.known.removeAll { $0.path == path }
      state.known.insert(KnownLibrary(path: path), at: 0)
      state.known = Array(state.known.prefix(Self.knownMax))
      remember(state.known.map(\.path))
      return library
    } catch {
      state.failure = Failure(error)
      return nil
    }
  }
}
