import BoxFoundation
import Testing

/// Cases in the manner of the public JSON test collections: what every reader takes, what none may.
@Suite("JSON")
struct JSONReaderTests {
    @Test(
        "What is JSON is read",
        arguments: [
            "{}", "[]", " [] ", "[[]]", "[1]", "[\"\"]", "[null,true,false]", "[0]", "[-0]", "[-1]", "[123]", "[1.5]",
            "[-0.0]", "[0e1]", "[0E+1]",
            "[1e22]", "[1E-2]", "[1.2e+3]", "[123456789012345678901234567890]", "[1e999]", "[-1e-999]",
            "[0.30000000000000004]", "[\"a\"]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\u0000\"]", "[\"\\u0041\"]",
            "[\"\\uD834\\uDD1E\"]",
            "[\"\\ud834\\udd1e\"]", "[\"\u{7F}\"]", "[\"\u{2028}\u{2029}\"]", "[\"\u{FEFF}\"]", "[\"宫保鸡丁\u{1F600}\"]",
            "[\"\\uFFFF\"]",
            "{\"\":0}", "{\"a\":{\"a\":1}}", "{\"a\":1,\"A\":2}", "{\"a\":[],\"b\":{}}", "\"text\"", "null", "true",
            "-1.5", "\t\r\n [1 , 2]\n",
            "{\"a\" : \"b\"}", "[[[[[[[[[[]]]]]]]]]]", "[\"http:\\/\\/x\"]", "[\"/* no comment */\"]",
        ])
    func accepted(text: String) throws {
        let value = try JSONReader.read(text)
        #expect(try JSONReader.read(value.bytes) == value, "what is written is read as the same")
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1]]", "[1]x", "[]{}",
            "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}", "{,}", "{\"a\" 1}", "{\"a\"::1}", "{\"a\":1,,\"b\":2}", "{a:1}", "{'a':1}", "{1:1}",
            "{null:1}", "{\"a\":1 \"b\":2}", "{[:1}",
            "[01]", "[-01]", "[00]", "[1.]", "[.5]", "[-.5]", "[1.e1]", "[+1]", "[-]", "[--1]", "[1e]", "[1e+]",
            "[1E-]", "[1ee1]", "[0x1F]", "[1_000]",
            "[1a]", "[-a]", "[Infinity]", "[-Infinity]", "[NaN]", "[nan]", "[１]", "[0.1.2]", "[1 e1]", "[1.5.]",
            "[2.e3]", "[0e]",
            "[nul]", "[True]", "[TRUE]", "[nulls]", "[fals]", "[truex]", "[\"]", "[\"a]", "['a']", "[\"\\\"]",
            "[\"\\x41\"]", "[\"\\a\"]", "[\"\\0\"]",
            "[\"\\'\"]", "[\"\\u\"]", "[\"\\u12\"]", "[\"\\u123\"]", "[\"\\u123G\"]", "[\"\\U0041\"]", "[\"\\ \"]",
            "[\"a\nb\"]", "[\"a\tb\"]",
            "[\"a\u{0}b\"]", "[\"\u{1F}\"]", "\u{FEFF}[]", "[\u{A0}1]", "[\u{C}1]", "[\u{B}1]", "[\u{2028}1]",
            "// c\n[]", "[] // c", "[/* c */1]", "[1]/**/",
            "#\n[]", "[\"\\uD800\"]", "[\"\\uDC00\"]", "[\"\\uD800\\u0041\"]", "[\"\\uD800\\uD800\"]", "[\"\\uD834x\"]",
            "[\"\\uD834\\n\"]",
            "[\"\\uDD1E\\uD834\"]", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"x\":{\"b\":1,\"b\":1}}", "*",
            "<null>", "[\"a\",\n4\n,1,", "{\"a\":/*c*/1}",
        ])
    func refused(text: String) {
        #expect(throws: JSONFault.self) { try JSONReader.read(text) }
    }

    @Test(
        "Bytes that are no UTF-8 are refused wherever they stand",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xC1, 0xBF, 0x22], [0x22, 0xE0, 0x80, 0x80, 0x22],
            [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE6, 0x94, 0x22],
            [0x22, 0x80, 0x22],
            [0x22, 0x5C, 0x6E, 0xFF, 0x22], [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], [0xFF, 0xFE, 0x5B, 0x5D],
            [0x5B, 0x5D, 0x00], [0xE5],
            [0x5B, 0xE9, 0x5D], [0x00, 0x5B, 0x00, 0x5D],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: JSONFault.self) { try JSONReader.read(bytes) }
    }

    @Test(
        "A number keeps its own text",
        arguments: ["12.50", "-0", "0.10", "1E+2", "0.30000000000000004", "19.90", "123456789012345678901234567890"])
    func numberText(text: String) throws {
        #expect(try JSONReader.read("[\(text)]").array?.first?.numberText == text)
        #expect(try JSONReader.read("[\(text)]").text == "[\(text)]")
    }

    @Test(
        "An integer is one that is written as one and fits",
        arguments: [
            ("0", 0), ("-0", 0), ("-7", -7), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("1.0", nil), ("1e3", nil),
        ] as [(String, Int64?)])
    func integers(text: String, value: Int64?) throws {
        #expect(try JSONReader.read(text).integer == value)
    }

    @Test(
        "A double that is too large is none",
        arguments: [("1.5", 1.5), ("-2e3", -2000), ("1e999", nil), ("-1e999", nil)] as [(String, Double?)])
    func doubles(text: String, value: Double?) throws {
        #expect(try JSONReader.read(text).double == value)
    }

    @Test("32 levels are read, 33 are not", arguments: ["[", "{\"a\":"])
    func depth(opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        func nested(_ levels: Int) -> String {
            String(repeating: opening, count: levels - 1) + (opening == "[" ? "[]" : "{}")
                + String(repeating: closing, count: levels - 1)
        }
        _ = try JSONReader.read(nested(32))
        #expect(throws: JSONFault(kind: .tooDeep, line: 1, column: opening.utf8.count * 32 + 1)) {
            try JSONReader.read(nested(33))
        }
        #expect(throws: JSONFault.self) { try JSONReader.read(String(repeating: opening, count: 200_000)) }
        // Depth is what is open at once, not what there is in all.
        _ = try JSONReader.read("[" + Array(repeating: nested(31), count: 50).joined(separator: ",") + "]")
    }

    @Test("Names are compared byte for byte, in small objects and in large ones", arguments: [0, 40])
    func names(others: Int) throws {
        let filling = (0..<others).map { "\"n\($0)\":0," }.joined()
        let both = try JSONReader.read("{\(filling)\"caf\u{E9}\":1,\"cafe\u{301}\":2}")
        #expect(both["caf\u{E9}"] == 1)
        #expect(both["cafe\u{301}"] == 2)
        #expect(throws: JSONFault.self) { try JSONReader.read("{\(filling)\"caf\u{E9}\":1,\"caf\\u00e9\":2}") }
        #expect(throws: JSONFault.self) { try JSONReader.read("{\"first\":0,\(filling)\"first\":1}") }
    }

    @Test(
        "A fault knows its line and column",
        arguments: [
            ("[1,\n 2,\n x]", 3, 2, "unexpected x"),
            ("{\"a\":1,\n\"a\":2}", 2, 1, "the name \"a\" stands twice in one object"),
            ("[\n\n", 3, 1, "the text ends too early"),
            ("[\"a\n\"]", 1, 4, "a control character inside a text"), ("{}\n{}", 2, 1, "something follows the value"),
            ("[\"\\q\"]", 1, 4, "an unknown escape"),
            ("[\u{A0}]", 1, 2, "unexpected byte 0xc2"),
        ])
    func places(text: String, line: Int, column: Int, message: String) {
        do throws(JSONFault) {
            _ = try JSONReader.read(text)
            Issue.record("read")
        } catch {
            #expect(error.line == line && error.column == column && error.message == message, "\(error)")
        }
    }

    @Test("A slice is read as if it were all")
    func slice() throws {
        let bytes = Array("xx{\"a\":1}yy".utf8)
        #expect(try JSONReader.read(bytes[2..<9])["a"] == 1)
        let fault = JSONFault(kind: .endOfText, line: 1, column: 7)
        #expect(throws: fault) { try JSONReader.read(bytes[2..<8]) }
    }

    @Test("Values are the same whatever the order of names, but for the text of a number")
    func equality() throws {
        #expect(
            try JSONReader.read(#"{"a":1,"b":[true,null]}"#) == JSONReader.read(#"{ "b" : [ true , null ], "a" : 1 }"#))
        #expect(try JSONReader.read(#"{"a":1}"#) != JSONReader.read(#"{"a":1,"b":null}"#))
        #expect(try JSONReader.read("[1,2]") != JSONReader.read("[2,1]"))
        #expect(try JSONReader.read("1.0") != JSONReader.read("1"))
        #expect(JSON.string("caf\u{E9}") != JSON.string("cafe\u{301}"))
    }

    @Test("Writing escapes what must be, and nothing else")
    func writing() throws {
        let value = JSON.object(["z": "\"\\/\u{8}\n\r\t\u{1F}\u{7F}宫😀", "a": nil, "b": [1, true, .null]])
        #expect(value.text == #"{"z":"\"\\/\u0008\n\r\t\u001f\u007f宫😀","b":[1,true,null]}"#)
        #expect(try JSONReader.read(value.text) == value)
    }

    @Test("Members are set in their place, added at the end, and taken away")
    func members() {
        var object = JSONObject()
        object.set("a", 1)
        object.set("b", 2)
        object.set("a", "x")
        object.set("c", nil)
        #expect(JSON.object(object).text == #"{"a":"x","b":2}"#)
        object.set("a", nil)
        #expect(JSON.object(object).text == #"{"b":2}"#)
    }

    static let sample = Array(
        #"{"kind":"payment","amount":12.50,"say":true,"x":null,"receipt":{"data":{"items":[{"name":"宫保\uD83D\uDE00","qty":2},[],{}]}},"e":"\n\u0041"}"#
            .utf8)

    @Test("Mutated texts are read or refused, never more", arguments: 0..<20)
    func mutations(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let dialect: JSONReader.Dialect = seed % 2 == 0 ? .json : .json5
        for _ in 0..<300 {
            var bytes = Self.sample
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(
                        contentsOf: Array("{}[]\",:\\u0'/*+-.eE\n".utf8).randomElement(using: &random).map { [$0] }
                            ?? [], at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0x5B] }
            }
            guard let value = try? JSONReader.read(bytes, as: dialect) else { continue }
            #expect((try? JSONReader.read(value.bytes)) == value)
        }
    }
}

@Suite("JSON5")
struct JSON5Tests {
    @Test(
        "What JSON5 adds is read",
        arguments: [
            ("{a:1,}", #"{"a":1}"#), ("[1,2,]", "[1,2]"), ("{'a':'b'}", #"{"a":"b"}"#),
            ("{$_a1:1, ünï:2}", #"{"$_a1":1,"ünï":2}"#), ("'it\\'s'", #""it's""#),
            ("'say \"hi\"'", #""say \"hi\"""#), ("// c\n1 // d", "1"), ("/* a\n * b **/1/**/", "1"),
            ("[+1,-1,.5,5.,-.5e3,+5.E2]", "[1,-1,0.5,5,-0.5e3,5E2]"),
            ("[0x1F,-0xaB,0X0]", "[31,-171,0]"), ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
            ("'\\x41\\v\\0\\a'", #""A\u000b\u0000a""#),
            ("'a\\\nb\\\r\nc\\\rd'", #""abcd""#), ("'a\\\u{2028}b\\\u{2029}c'", #""abc""#), ("'a\tb'", #""a\tb""#),
            ("\u{FEFF}[\u{A0}1\u{2028},\u{B}2\u{C}\u{FEFF}]", "[1,2]"),
            ("{null:1,true:2}", #"{"null":1,"true":2}"#), ("'\u{2028}'", "\"\u{2028}\""),
            ("{\"a\":1,'b':2,c:3}", #"{"a":1,"b":2,"c":3}"#),
        ])
    func accepted(text: String, json: String) throws {
        #expect(try JSONReader.read(text, as: .json5).text == json)
    }

    @Test(
        "What JSON5 does not take is refused",
        arguments: [
            "", "// only a comment", "/* open", "/ 1", "[,]", "{,}", "[1,,2]", "{a}", "{a:}", "{1a:1}", "{-a:1}",
            "{a b:1}", "'a", "'a\nb'", "\"a'", "0x", "0xG", "0x1.5",
            "0x10000000000000000", "01", "+", "-", ".", "+.", "1e", "--1", "+-1", "NaN", "Infinity", "-Infinity",
            "'\\1'", "'\\01'", "'\\x4'", "'\\uD800'", "{a:1,a:2}",
            "{a:1,'a':2}", "undefined", "{a:1}b", "#c\n1",
        ])
    func refused(text: String) {
        #expect(throws: JSONFault.self) { try JSONReader.read(text, as: .json5) }
    }

    @Test("Every name knows its line")
    func lines() throws {
        let value = try JSONReader.read("// one\n{ a: 1,\n\n  b: { c: /* x\n y */ 2,\n d: 3 } }", as: .json5)
        #expect(value.object?.members.map(\.line) == [2, 4])
        #expect(value["b"]?.object?.members.map(\.line) == [4, 6])
    }
}
