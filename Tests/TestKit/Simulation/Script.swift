// What is done in a run, drawn from a seed before it begins. Each step carries its own chance, so that
// a script with steps left out does the others as before: that is how a failing one is shortened.

internal import TestKit

/// What a person, a device or the world does.
package enum Deed: String, Sendable, CaseIterable {
  case add, addWithRelated, addByKey, edit, delete, restore, purge, undo, settleConflict
  case count, importTable, changeModel, changeMerge
  case typeIntoDraft, saveDraft, cancelDraft
  case sync, cut, mend, jumpOfClock, longAbsence, reopen, copyLibrary

  /// How often it is drawn, in shares of all.
  fileprivate var weight: Int {
    switch self {
    case .edit: 14
    case .sync: 26
    case .add: 8
    case .typeIntoDraft, .saveDraft: 5
    case .delete, .settleConflict, .restore, .undo, .count: 4
    case .addWithRelated, .addByKey, .importTable, .changeModel, .cancelDraft, .cut, .mend: 3
    case .purge, .jumpOfClock, .longAbsence, .reopen, .changeMerge, .copyLibrary: 2
    }
  }

  /// Whether it writes into the library by its person's hand: then a failure must leave nothing.
  var isSave: Bool {
    switch self {
    case .add, .addWithRelated, .addByKey, .edit, .delete, .restore, .purge, .undo,
      .settleConflict, .count, .importTable, .changeModel, .changeMerge, .saveDraft:
      true
    case .typeIntoDraft, .cancelDraft, .sync, .cut, .mend, .jumpOfClock, .longAbsence, .reopen,
      .copyLibrary:
      false
    }
  }
}

/// What befalls the process while it does a step.
package enum Mishap: Sendable, Hashable {
  /// A statement fails, and the process goes on.
  case statementFails(Int)
  /// The process dies at a statement.
  case diesAtStatement(Int)
  /// The process dies at a request.
  case diesAtRequest(Int)
  /// The process dies after its save, before it could say so to anybody.
  case diesAfterwards

  var isDeadly: Bool { if case .statementFails = self { false } else { true } }
}

package struct Step: Sendable, CustomStringConvertible {
  package let number: Int
  /// One of the script's devices; as it is done, one of the libraries that came from it by copying.
  package var device: Int
  package let deed: Deed
  package let mishap: Mishap?
  /// What the step draws its own chance from.
  package let seed: UInt64
  /// Milliseconds that pass before it.
  package let pause: Int64

  package var description: String {
    "\(number): device \(device) \(deed.rawValue)" + (mishap.map { ", \($0)" } ?? "")
  }
}

package struct Script: Sendable, CustomStringConvertible {
  package let seed: UInt64
  package let devices: Int
  /// How wrong each device's clock is at the beginning, in milliseconds.
  package let skews: [Int64]
  package var steps: [Step]

  static let millisecondsPerDay: Int64 = 86_400_000
  /// Wrong by up to three years either way.
  static let skewMax: Int64 = 3 * 365 * millisecondsPerDay

  package init(seed: UInt64, steps count: Int) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    devices = [2, 2, 2, 3, 3, 3, 4, 5].randomElement(using: &random) ?? 2
    skews = (0..<devices).map { _ in
      Int.random(in: 0..<4, using: &random) == 0
        ? Int64.random(in: -Self.skewMax...Self.skewMax, using: &random) : 0
    }
    let deeds = Deed.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    steps = []
    for number in 0..<count {
      let deed = deeds.randomElement(using: &random) ?? .sync
      steps.append(
        Step(
          number: number, device: Int.random(in: 0..<devices, using: &random), deed: deed,
          mishap: Self.mishap(of: deed, &random), seed: random.next(),
          pause: Int64.random(in: 0...5_000, using: &random)))
    }
  }

  private static func mishap(of deed: Deed, _ random: inout SeededGenerator) -> Mishap? {
    // A save takes about ten statements, a run of sync about forty.
    let statement = Int.random(in: 1...(deed == .sync ? 40 : 12), using: &random)
    let request = Int.random(in: 0...8, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return .statementFails(statement)
    case 1: return .diesAtStatement(statement)
    case 2 where deed == .sync: return .diesAtRequest(request)
    case 3 where deed == .saveDraft || deed == .importTable: return .diesAfterwards
    default: return nil
    }
  }

  /// The steps of those numbers only.
  package func keeping(_ numbers: Set<Int>) -> Script {
    var result = self
    result.steps = steps.filter { numbers.contains($0.number) }
    return result
  }

  package var description: String {
    let clocks = skews.map { "\($0 / Self.millisecondsPerDay)" }.joined(separator: ", ")
    let numbers = steps.map { "\($0.number)" }.joined(separator: ",")
    return "SKYROS_SEED=\(seed) SKYROS_STEPS=\(numbers): \(devices) devices, "
      + "clocks wrong by \(clocks) days\n" + steps.map { "  \($0)" }.joined(separator: "\n")
  }
}
