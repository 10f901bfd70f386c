// A settings file and the copy of it that was last read well. A power cut may leave a file empty or half; the box then
// starts with the copy and says so.

import BoxFoundation

/// Chooses between a settings file and its last good copy.
package struct SettingsCopy: Equatable, Sendable {
    /// What to read; nil where there is neither file nor copy.
    package let bytes: [UInt8]?
    /// The file could not be read, and this is the copy.
    package let isLastGood: Bool
    /// The file is good and differs from the copy: to be kept as the new one.
    package let isToBeKept: Bool

    package init(file: [UInt8]?, lastGood: [UInt8]?) {
        let isGood = file.map(Self.isReadable) ?? false
        // A file that somebody took away is not a damaged one.
        isLastGood = !isGood && file != nil && lastGood.map(Self.isReadable) ?? false
        bytes = isLastGood ? lastGood : file
        isToBeKept = isGood && file != lastGood
    }

    /// It is one object, whatever is in it.
    private static func isReadable(_ bytes: [UInt8]) -> Bool {
        (try? JSONReader.read(bytes, as: .json5))?.object != nil
    }
}
