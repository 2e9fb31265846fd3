import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// Picking a value by typing its beginning.
@UI struct PickerViewModelTests {
  func picker(_ places: Places, _ field: FieldID, _ current: Value = .empty) async throws
    -> PickerViewModel
  {
    let field = try #require(places.library.model.type(.place)?.field(field))
    let picker = try #require(
      PickerViewModel(library: places.library, field: field, current: current))
    await picker.start()
    return picker
  }

  @Test func `choices are offered in their order, and "no value" where it may be empty`()
    async throws
  {
    let picker = try await picker(try await Places(), .rating, .text("fair"))
    #expect(picker.state.choices.map(\.title) == ["low", "fair", "good", nil])
    #expect(picker.answer == .text("fair"))
    picker.moveCursor(by: 9)
    #expect(picker.answer == .empty)
    picker.search("o")
    #expect(picker.state.choices.map(\.title) == ["low", "good"])
    picker.search("g")
    #expect(picker.answer == .text("good"))
    picker.search("x")
    #expect(picker.answer == nil)
  }

  @Test func `records are found by what they are called`() async throws {
    let places = try await Places()
    let north = try await places.add([.name: .text("Norte")], to: .trip)
    try await places.add([.name: .text("Sul")], to: .trip)
    let picker = try await picker(places, .trip, .reference(north))
    #expect(picker.state.choices.map(\.title) == ["Norte", "Sul", nil])
    #expect(picker.answer == .reference(north))
    picker.search("s")
    picker.search("su")
    await picker.idle()
    #expect(picker.state.choices.map(\.title) == ["Sul"])
    #expect(!picker.state.isSearching)
    picker.search("zz")
    await picker.idle()
    #expect(picker.answer == nil)
  }

  @Test func `a field that is typed has no picker`() async throws {
    let places = try await Places()
    let field = try #require(places.library.model.type(.place)?.field(.name))
    #expect(PickerViewModel(library: places.library, field: field, current: .empty) == nil)
  }
}
