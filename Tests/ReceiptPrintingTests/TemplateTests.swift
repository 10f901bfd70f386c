import BoxFoundation
import ReceiptPrinting
import Testing

@Suite struct TemplateTests {
    private func paper(_ template: String, _ data: JSON) throws -> String {
        let maker = try ReceiptMaker(profile: ReceiptFixtures.profile(), language: "zh-CN") { name in
            name == "receipts/t.receipt" ? Array(template.utf8) : ReceiptFixtures.resource(name)
        }
        return ReceiptFixtures.paper(try maker.receipt(template: "t", data: data), showsCodes: true)
    }

    @Test func sectionsRepeatAndInvertedOnesStandIn() throws {
        let template = """
            {width:*,4,8}
            {{#items}}
            {{name}} | {{qty}}| {{price}}
            {{/items}}
            {{^items}}
            {width:auto}
            |none
            {{/items}}
            """
        let items: JSON = .array([
            .object(["name": "宫保鸡丁", "qty": 2, "price": "36.00"]), .object(["name": "米饭", "qty": 1, "price": "2.00"]),
        ])
        #expect(
            try paper(template, .object(["items": items])) == """
                宫保鸡丁              2    36.00
                米饭                  1     2.00

                """)
        #expect(try paper(template, .object([:])) == "none\n")
    }

    @Test func namesAreLookedForOutwardsAndDotsGoIn() throws {
        let data = try JSONReader.read(
            #"{"shop":{"name":"A"},"list":[{"n":1},{"n":2,"shop":{"name":"B"}}],"tags":["x","y"]}"#)
        #expect(try paper("{{#list}}\n|{{n}} {{shop.name}}\n{{/list}}", data) == "1 A\n2 B\n")
        #expect(try paper("|{{#tags}}[{{.}}]{{/tags}}", data) == "[x][y]\n")
        #expect(try paper("|{{! said to nobody }}a{{missing}}b", data) == "ab\n")
    }

    /// Shop text is data: whatever it holds, the paper shows it and nothing else happens.
    @Test(arguments: [
        "a | b", "{code:1}", "}", "---", "===", "^^^big", "_u_ \"b\" `i`", "~x~", "\\n\\x1b", " edge ", "{{order}}",
        "\\",
        "|", "-", "=",
    ])
    func dataPrintsAsItself(text: String) throws {
        for template in ["|{{x}}", "|{{x}} | b", "{{#list}}\n|{{x}}\n{{/list}}"] {
            let data = JSON.object(["x": .string(text), "list": .array([true]), "order": "no"])
            let tail = template.contains("b") ? String(repeating: " ", count: 31) + "b" : ""
            let expected = tail.isEmpty ? text : text + tail.dropFirst(text.unicodeScalars.count)
            #expect(try paper(template, data) == expected + "\n")
        }
    }

    @Test func controlCodesInDataAreDropped() throws {
        let data = JSON.object(["x": .string("a\u{1B}@\u{1D}V\u{0}b\u{7F}\u{9B}c")])
        let maker = try ReceiptMaker(profile: ReceiptFixtures.profile(), language: "zh-CN") { name in
            name == "receipts/t.receipt" ? Array("|{{x}}".utf8) : ReceiptFixtures.resource(name)
        }
        let bytes = try maker.receipt(template: "t", data: data)
        #expect(bytes == [0x1B, 0x40, 0x1C, 0x26] + Array("a@Vbc\n".utf8) + [0x1B, 0x64, 3])
    }

    @Test func dataInsideAPropertyStaysInside() throws {
        let data = JSON.object(["x": .string("12;width:1}|{\\")])
        #expect(try paper("{code:{{x}};option:qrcode}\n|abc", data).hasSuffix("]\nabc\n"))
    }

    @Test(arguments: [
        ("a\n{{#x}}\nb", 3, 2, "the section {{#x}} has no end"),
        ("a\nb {{/x}}", 2, 3, "{{/x}} ends a section that is not open"),
        ("a {{x", 1, 3, "{{ has no }}"), ("{{{x}}}", 1, 1, "places are always escaped; write {{name}}"),
        ("{{&x}}", 1, 1, "places are always escaped; write {{name}}"), ("{{a..b}}", 1, 1, "{{a..b}} is no name"),
        ("{{>x}}", 1, 1, "partials and other delimiters do not exist here"),
    ])
    func aTemplateAtFaultIsToldWithItsPlace(template: String, line: Int, column: Int, what: String) {
        #expect(throws: ReceiptFault(.template(what), line: line, column: column)) { try paper(template, .null) }
    }

    @Test func aFaultOfTheMarkupIsToldInLinesOfTheTemplate() {
        let data: JSON = .object(["list": .array([1, 2, 3])])
        #expect(throws: ReceiptFault(.brace("}"), line: 5, column: 2)) {
            try paper("{{! one }}\n{{#list}}\n|x\n{{/list}}\na}", data)
        }
    }
}
