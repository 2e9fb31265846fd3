/// Any JSON value, with integers kept apart from other numbers so that no bit is lost.
///
/// Used where the shape is only known later (a field's value may stand before its tag) and for
/// messages that are too rare to deserve a reader of their own.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number that was written without fraction or exponent and fits 64 bits.
  case int(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The last member of that name; nil when this is no object or has none.
  package subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// A whole number, also when it was written `5.0` or as a string (`numbersAsStrings`).
  package var wholeNumber: Int64? {
    switch self {
    case .int(let number): number
    case .double(let number): Int64(exactly: number)
    case .string(let text): Int64(text)
    default: nil
    }
  }

  /// Any number, also when it was written as a string.
  package var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// `true`, `True`, `1` and their like: clients differ.
  package var truth: Bool? {
    switch self {
    case .bool(let flag): flag
    case .int(let number): number != 0
    case .string(let text):
      switch text {
      case "true", "True", "TRUE", "1": true
      case "false", "False", "FALSE", "0": false
      default: nil
      }
    default: nil
    }
  }

  package var isNull: Bool { self == .null }
}

extension JSONValue: WireWritable {
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let flag): writer.bool(flag)
    case .int(let number): writer.int(number)
    case .double(let number): writer.double(number)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.array { for element in elements { element.write(to: &$0) } }
    case .object(let members):
      writer.object {
        for member in members {
          $0.key(member.name)
          member.value.write(to: &$0)
        }
      }
    }
  }
}
