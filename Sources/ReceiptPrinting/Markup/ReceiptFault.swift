// What is wrong with a receipt, where, in one line.

/// Why a receipt can't be set. Lines and columns count from 1, columns in characters; both are 0
/// where the fault has no place.
package struct ReceiptFault: Error, Equatable, Sendable {
    /// What is wrong with a receipt.
    package enum Kind: Equatable, Sendable {
        /// `{` without its `}`, or the other way round.
        case brace(String)
        /// A property beside text or in a line of several columns.
        case propertyBeside
        /// A member of a property without `:`.
        case propertyWithoutValue
        /// A picture that is no PNG, or too large.
        case picture(String)
        /// A barcode or 2D code that can't be drawn from its data.
        case code(String)
        /// A place or section of a template.
        case template(String)
        /// There is no such template.
        case noTemplate(String)
        /// iconv does not know the printer's encoding.
        case noEncoding(String)
        /// A limit of the box.
        case tooLong(String)
    }

    package var kind: Kind
    package var line: Int
    package var column: Int

    package init(_ kind: Kind, line: Int, column: Int) {
        self.kind = kind
        self.line = line
        self.column = column
    }

    /// `line 3, column 7: a { without its }`.
    package var message: String {
        line > 0 ? "line \(line), column \(column): \(what)" : what
    }

    private var what: String {
        switch kind {
        case .brace(let sign): "\(sign) stands alone; write \\\(sign) for the sign itself"
        case .propertyBeside: "a property {…} has a line of its own"
        case .propertyWithoutValue: "a property is written {name: value}"
        case .picture(let what): "the picture can't be printed: \(what)"
        case .code(let what): "the code can't be printed: \(what)"
        case .template(let what): what
        case .noTemplate(let name): "there is no receipt template \"\(name)\""
        case .noEncoding(let name): "iconv does not know the encoding \"\(name)\""
        case .tooLong(let what): what
        }
    }
}
