import BoxFoundation
import Testing
import VoiceAnnouncing

/// What the languages besides zh-CN say around their numbers; the numbers themselves are held against ICU.
@Suite struct OtherLanguageTests {
    @Test(
        "An amount is read in the language's own way",
        arguments: [
            ("en", "12.50", "CNY", "twelve point five yuan"), ("en", "1", "CNY", "one yuan"),
            ("en", "0", "CNY", "zero yuan"), ("en", "12.50", "USD", "twelve dollars and fifty cents"),
            ("en", "1.01", "USD", "one dollar and one cent"), ("en", "0.50", "USD", "fifty cents"),
            ("en", "0", "USD", "zero dollars"), ("en", "2", "GBP", "two pounds"),
            ("en", "7", "XOF", "seven units of foreign currency"),
            ("en", "2150.99", "EUR", "two thousand one hundred fifty euros and ninety-nine cents"),
            ("zh-HK", "12.50", "HKD", "十二點五蚊"), ("zh-HK", "2", "HKD", "兩蚊"), ("zh-HK", "22", "HKD", "二十二蚊"),
            ("zh-HK", "1200", "HKD", "一千兩百蚊"), ("zh-HK", "2.2", "HKD", "二點二蚊"), ("zh-HK", "220000", "HKD", "二十二萬蚊"),
            ("hi", "12.50", "INR", "बारह रुपये पचास पैसे"), ("hi", "1", "INR", "एक रुपया"),
            ("th", "21.25", "THB", "ยี่สิบเอ็ดบาทยี่สิบห้าสตางค์"), ("th", "100", "THB", "หนึ่งร้อยบาท"),
            ("vi", "25000", "VND", "hai mươi lăm nghìn đồng"),
            ("vi", "1005", "VND", "một nghìn không trăm lẻ năm đồng"),
            ("id", "15000", "IDR", "lima belas ribu rupiah"),
            ("es", "21.50", "EUR", "veintiún euros con cincuenta céntimos"),
            ("es", "1", "EUR", "un euro"), ("es", "1000000", "EUR", "un millón de euros"),
            ("es", "200", "INR", "doscientas rupias"), ("es", "1", "INR", "una rupia"),
            ("es", "2000000", "INR", "dos millones de rupias"),
        ])
    func readsAmounts(_ language: String, _ amount: String, _ code: String, _ words: String) throws {
        let currency = try #require(Currency(code: code))
        let money = try #require(Money(amount, currency: currency))
        let read = try Fixtures.wording(language).amount(money)
        #expect(read == words)
    }

    @Test(
        "Cantonese has its own minor units",
        arguments: [
            ("12.50", "十二蚊五毫"), ("0.20", "兩毫"), ("0.05", "五仙"), ("12.05", "十二蚊零五仙"), ("2", "兩蚊"),
        ])
    func readsCantoneseUnits(_ amount: String, _ words: String) throws {
        let currency = try #require(Currency(code: "HKD"))
        let money = try #require(Money(amount, currency: currency))
        let read = try Fixtures.wording("zh-HK", decimals: .jiaofen).amount(money)
        #expect(read == words)
    }

    @Test(
        "A phrase has its parts in the language's order",
        arguments: [
            (
                "en", "repeated, WeChat payment, twelve point five yuan",
                "another seven payments, total twelve point five yuan"
            ),
            ("es", "repetido, Pago WeChat, doce coma cinco yuanes", "otros siete pagos, total doce coma cinco yuanes"),
            ("th", "แจ้งซ้ำ รับเงินวีแชท สิบสองจุดห้าหยวน", "รับเงินอีกเจ็ดรายการ รวมสิบสองจุดห้าหยวน"),
            (
                "vi", "báo lại, Nhận tiền WeChat, mười hai phẩy năm nhân dân tệ",
                "nhận thêm bảy khoản, tổng cộng mười hai phẩy năm nhân dân tệ"
            ),
            (
                "id", "ulangan, Pembayaran WeChat, dua belas koma lima yuan",
                "tujuh pembayaran lagi, total dua belas koma lima yuan"
            ),
            ("hi", "दोबारा, वीचैट भुगतान, बारह दशमलव पाँच युआन", "और सात भुगतान, कुल बारह दशमलव पाँच युआन"),
            ("zh-HK", "補報，微信收款，十二點五人仔", "又收款七筆，總共十二點五人仔"),
        ])
    func saysPhrases(_ language: String, _ payment: String, _ merged: String) throws {
        let wording = try Fixtures.wording(language)
        let money = Money(minor: 1250)
        #expect(wording.payment(money, channel: .wechat, isRepeated: true) == payment)
        #expect(wording.merged(7, money) == merged)
    }

    @Test(
        "Numbers in a text become words, and nothing else changes",
        arguments: [
            ("zh-CN", "￥500、￥1000", "五百元、一千元"), ("zh-CN", "共28,000元", "共两万八千元"), ("zh-CN", "2350元", "两千三百五十元"),
            ("zh-CN", "支付宝到账12.50元", "支付宝到账十二点五元"), ("zh-CN", "3号桌, 10分钟", "三号桌, 十分钟"),
            ("zh-CN", "单号007", "单号零零七"), ("zh-CN", "电话13800138000", "电话一三八零零一三八零零零"),
            ("zh-CN", "没有数字", "没有数字"), ("zh-CN", "", ""), ("zh-CN", "v1.2.3", "v一点二.三"), ("zh-CN", "1,23", "一,二十三"),
            ("en", "Table 12, 3.50 left", "Table twelve, three point five left"),
        ])
    func readsTexts(_ language: String, _ text: String, _ words: String) throws {
        let read = try Fixtures.wording(language).text(text)
        #expect(read == words)
    }
}
