import RecordStore
import Records
import Testing
import ViewModels

/// Views that a person named, and their file.
struct SavedViewsTests {
  private var layout: ListLayout {
    var layout = ListLayout()
    layout.columns = [.name, .population]
    layout.widths = [.name: 30]
    layout.sort = [SortKey(field: .population, descending: true), SortKey(field: .name)]
    layout.filterText = "country=PT \"two words\""
    layout.searchText = "札幌"
    layout.sections = .country
    return layout
  }

  @Test func `views come back from their text as they were`() {
    var lists = SavedViews()
    lists.keep(SavedView(name: "Big ones", type: .place, layout: layout))
    lists.keep(SavedView(name: "Big ones", type: .trip, layout: ListLayout()))
    lists.last = .trip
    #expect(SavedViews(text: lists.text) == lists)
    #expect(SavedViews(text: lists.text).view("Big ones", of: .place)?.layout == layout)
  }

  @Test func `a type's own list keeps its look, and not what narrowed it`() {
    var lists = SavedViews()
    lists.layouts[.place] = layout
    var kept = layout
    kept.filterText = ""
    kept.searchText = ""
    #expect(SavedViews(text: lists.text).layouts == [.place: kept])
  }

  @Test func `a view of the same name takes the place of the one before`() {
    var lists = SavedViews()
    lists.keep(SavedView(name: "A", type: .place, layout: ListLayout()))
    lists.keep(SavedView(name: "A", type: .place, layout: layout))
    #expect(lists.views(of: .place).map(\.layout) == [layout])
    lists.drop("A", of: .place)
    #expect(lists.views.isEmpty)
  }

  @Test func `there is a bound, and replacing still works at it`() {
    var lists = SavedViews()
    for number in 0..<SavedViews.viewsMax {
      let isKept = lists.keep(
        SavedView(name: "\(number)", type: .place, layout: ListLayout()))
      #expect(isKept)
    }
    let isOneMoreKept = lists.keep(
      SavedView(name: "more", type: .place, layout: ListLayout()))
    #expect(!isOneMoreKept)
    let isReplaced = lists.keep(SavedView(name: "0", type: .place, layout: layout))
    #expect(isReplaced)
  }

  @Test(arguments: ["", "[", "{}", "{\"views\":[{\"name\":5}],\"lists\":[1],\"last\":\"9\"}"])
  func `a text that is none gives no views`(text: String) {
    #expect(SavedViews(text: text) == SavedViews())
  }
}
