// Everything the page says, in two languages.

const english = {
  title: "virtual counter",
  scene: "The counter",
  gone: "The counter has stopped. Start it again with scripts/run; this page finds it by itself.",
  language: "中文", languageName: "切换到中文",
  soundOn: "Sound is on", soundOff: "Turn the sound on",
  button: "Button", short: "press", double: "press twice", hold: "hold 3 s",
  keyHelp: "Or click and hold the round key. Press: the last receipt again. Twice: the last payment again. 3 s: how the box is.",
  light: "Light", printer: "Printer", clock: "Box's clock",
  clockNotSet: "not set",
  silence: "Ready. Let a customer pay.",
  off: "The plug is out.",
  pay: "A customer pays", amount: "Amount", channel: "Paid with", kind: "Kind", go: "Pay",
  samples: "What back ends send, in every dialect", ownBody: "A body of your own", body: "The push's body", send: "Send it",
  outcomes: "What became of it", again: "send again",
  receipts: "Receipts", noReceipts: "What the printer cuts off is laid down here.",
  receipt: "Receipt",
  trouble: "What can go wrong",
  groupPrinter: "Printer", groupNetwork: "Network", groupPower: "Power and clock",
  terminal: "Technician's cable", command: "Command", enter: "Enter",
  wire: "On the wire",
  about: (box) => `${box.name} · firmware ${box.firmware} · ${box.printer}`
    + (box.address ? ` · takes pushes at tcp://${box.address}` : ""),
  channels: {
    wechat: "WeChat", alipay: "Alipay", unionpay: "UnionPay", card: "Card", cash: "Cash", member: "Member card",
    other: "Other",
  },
  kinds: { payment: "Payment", refund: "Refund", notice: "Notice" },
  switches: {
    paper: "Paper is in", "paper-low": "Paper is low", cover: "Cover is open", printer: "Printer is on",
    range: "Printer is in range", slow: "Printer crawls", cable: "Network cable is in",
    dead: "Network is dead, nobody is told", plug: "Mains plug is in",
  },
  delay: "Delay each way", delays: { 0: "none", 300: "0.3 s", 2000: "2 s" },
  clockIs: "Clock", clocks: { right: "right", ahead: "a day ahead", lost: "lost (1970)" },
  states: {
    ready: "ready", busy: "busy", "no hub": "no hub", "printer needs you": "the printer needs you",
    fault: "a fault: ask the box over its cable",
  },
  patterns: {
    steady: "steady", "slow blink": "slow blink", "double blink": "double blink", fast: "fast blink",
    "long-short": "long, short", winks: "winks",
  },
  printers: {
    ready: "ready", none: "none", connecting: "connecting", "paper-out": "out of paper", "paper-low": "paper is low",
    "cover-open": "its cover is open", asleep: "asleep", unreachable: "out of reach", unknown: "says nothing",
    error: "in trouble",
  },
  results: {
    waiting: "on its way", accepted: "kept on disk", duplicate: "seen before: not told again", refused: "refused",
    later: "put off", done: "done",
  },
  voices: { announced: "spoken", merged: "spoken with others", silent: "no voice asked for", expired: "too old to shout",
    failed: "not spoken" },
  papers: { printed: "printed", sent: "handed to the printer", none: "no paper asked for", failed: "not printed" },
};

const chinese = {
  title: "虚拟柜台",
  scene: "柜台",
  gone: "柜台已停止。用 scripts/run 重新启动，本页会自动连上。",
  language: "English", languageName: "Switch to English",
  soundOn: "声音已开", soundOff: "打开声音",
  button: "按键", short: "按一下", double: "按两下", hold: "按住 3 秒",
  keyHelp: "也可点按或按住圆键。按一下：补打上一张小票；按两下：重报上一笔；按住 3 秒：播报状态。",
  light: "指示灯", printer: "打印机", clock: "盒子时钟",
  clockNotSet: "未校准",
  silence: "已就绪，等顾客付款。",
  off: "电源已拔出。",
  pay: "顾客付款", amount: "金额", channel: "付款方式", kind: "类型", go: "付款",
  samples: "后台推送的各种格式", ownBody: "自己写推送内容", body: "推送内容", send: "发送",
  outcomes: "结果", again: "再发一次",
  receipts: "小票", noReceipts: "打印机切下的小票放在这里。",
  receipt: "小票",
  trouble: "会出什么状况",
  groupPrinter: "打印机", groupNetwork: "网络", groupPower: "电源与时钟",
  terminal: "技术员的数据线", command: "命令", enter: "回车",
  wire: "线路上的帧",
  about: (box) => `${box.name} · 固件 ${box.firmware} · ${box.printer}`
    + (box.address ? ` · 推送地址 tcp://${box.address}` : ""),
  channels: {
    wechat: "微信", alipay: "支付宝", unionpay: "云闪付", card: "刷卡", cash: "现金", member: "会员卡", other: "其他",
  },
  kinds: { payment: "收款", refund: "退款", notice: "通知" },
  switches: {
    paper: "有纸", "paper-low": "纸将用完", cover: "上盖打开", printer: "打印机开机", range: "打印机在范围内",
    slow: "打印机极慢", cable: "网线已插", dead: "网络假死，双方不知", plug: "电源已插",
  },
  delay: "单程延迟", delays: { 0: "无", 300: "0.3 秒", 2000: "2 秒" },
  clockIs: "时钟", clocks: { right: "准", ahead: "快一天", lost: "丢失（1970）" },
  states: {
    ready: "就绪", busy: "忙", "no hub": "连不上后台", "printer needs you": "打印机需要处理", fault: "故障：请接数据线查询",
  },
  patterns: {
    steady: "常亮", "slow blink": "慢闪", "double blink": "双闪", fast: "快闪", "long-short": "一长一短", winks: "眨眼",
  },
  printers: {
    ready: "就绪", none: "无", connecting: "连接中", "paper-out": "缺纸", "paper-low": "纸将用完",
    "cover-open": "上盖打开", asleep: "休眠", unreachable: "连不上", unknown: "状态未知", error: "故障",
  },
  results: {
    waiting: "发送中", accepted: "已存盘", duplicate: "重复：不再播报", refused: "拒绝", later: "稍后", done: "完成",
  },
  voices: { announced: "已播报", merged: "已合并播报", silent: "无需播报", expired: "过期未播", failed: "未播报" },
  papers: { printed: "已打印", sent: "已送打印机", none: "无需打印", failed: "未打印" },
};

const languages = { en: english, "zh-CN": chinese };
const kept = "counterbox-language";

function first() {
  const saved = localStorage.getItem(kept);
  if (saved in languages) return saved;
  return navigator.language.startsWith("zh") ? "zh-CN" : "en";
}

export let language = first();
export let words = languages[language];
const listeners = [];

/// Calls `show` now and whenever the language changes.
export function onLanguage(show) {
  listeners.push(show);
  show();
}

export function switchLanguage() {
  language = language === "en" ? "zh-CN" : "en";
  words = languages[language];
  localStorage.setItem(kept, language);
  for (const show of listeners) show();
}

/// Fills whatever names its words in the document.
export function fillDocument() {
  document.documentElement.lang = language;
  document.title = `Counterbox · ${words.title}`;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = words[element.dataset.t];
}
