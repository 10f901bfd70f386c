// The receipt that benchmarks and demonstrations set.

/// A receipt of twenty lines with a QR code, for benchmarks.
package enum ReceiptSample {
    /// Twenty lines with a QR code, as a small restaurant prints them.
    package static let markup = """
        ^^^街角小店
        中山路一号
        -
        {width:*,4,10}
        宫保鸡丁 | 1| 36.00
        鱼香肉丝 | 1| 32.00
        麻婆豆腐 | 2| 44.00
        回锅肉 | 1| 38.00
        西红柿炒鸡蛋 | 1| 22.00
        酸辣土豆丝 | 1| 16.00
        清炒时蔬 | 1| 18.00
        米饭 | 4| 8.00
        青岛啤酒 | 6| 48.00
        酸梅汤 | 2| 20.00
        餐具 | 4| 8.00
        打包盒 | 2| 4.00
        -
        {width:auto}
        ^合计 | ^294.00
        {code:https://example.com/r/20261129-0017;option:qrcode,4,m}
        谢谢光临
        =
        """
}
