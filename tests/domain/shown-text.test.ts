/** Invisible characters are escaped for models and terminals, except where a script or an emoji needs them. */
import { describe, expect, test } from 'vitest';
import { inBlock, onOneLine, visible, visibleJson } from '../../src/domain/shown-text.js';

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const HIDDEN = [
  ...range(0x00, 0x08),
  ...range(0x0b, 0x1f),
  ...range(0x7f, 0x9f),
  0xad,
  0x34f,
  0x61c,
  0x115f,
  0x1160,
  0x17b4,
  ...range(0x180b, 0x180f),
  ...range(0x200b, 0x200f),
  0x2028,
  0x2029,
  ...range(0x202a, 0x202e),
  ...range(0x2060, 0x206f),
  0x3164,
  ...range(0xfe00, 0xfe0f),
  0xfeff,
  0xffa0,
  ...range(0xfff0, 0xfffb),
  0x1d173,
  ...range(0xe0000, 0xe007f),
  ...range(0xe0100, 0xe01ef),
  0xe0fff,
];

describe('an invisible character', () => {
  test('is escaped as its code point, alone and between letters', () => {
    for (const point of HIDDEN) {
      const escaped = `\\u{${point.toString(16).toUpperCase()}}`;
      expect(visible(String.fromCodePoint(point))).toBe(escaped);
      expect(visible(`a${String.fromCodePoint(point)}b`)).toBe(`a${escaped}b`);
    }
  });

  test('is escaped if it is a lone surrogate, ignorable or a (bidirectional) control, except tab and line feed', () => {
    const unseen = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Cs}]/u;
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      if (point === 0x09 || point === 0x0a || !unseen.test(character)) continue;
      if (visible(character) === character) throw new Error(`U+${point.toString(16)} stays`);
    }
  });

  test.each([
    ['tag characters after a letter', `a${String.fromCodePoint(0xe0041)}`, 'a\\u{E0041}'],
    ['tag characters after a flag', '🏴\u{e0041}\u{e007f}', '🏴\\u{E0041}\\u{E007F}'],
    ['a selector after a letter', 'a\ufe0f', 'a\\u{FE0F}'],
    ['a selector after a digit that is not a key', '1\ufe0f', '1\\u{FE0F}'],
    ['a second selector after an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\u{FE0F}'],
    ['another selector after an emoji', '❤\ufe00', '❤\\u{FE00}'],
    ['a joiner between letters', 'pass\u200dword', 'pass\\u{200D}word'],
    ['a joiner after the last emoji', '👩\u200d.', '👩\\u{200D}.'],
    ['two joiners between emoji', '👩\u200d\u200d💻', '👩\\u{200D}\\u{200D}💻'],
    ['two non-joiners between Persian letters', 'می\u200c\u200cشود', 'می\\u{200C}\\u{200C}شود'],
    ['a non-joiner between Latin letters', 'in\u200cput', 'in\\u{200C}put'],
    ['text in reversed direction', 'a\u202edcb\u202c', 'a\\u{202E}dcb\\u{202C}'],
    ['a lone surrogate', 'a\ud83d', 'a\\u{D83D}'],
    ['a control sequence of a terminal', '\u001b[2J', '\\u{1B}[2J'],
  ])('is escaped: %s', (_, text, expected) => expect(visible(text)).toBe(expected));
});

test.each([
  'Plain text, naïve façade — “quoted”…\n\tindented',
  '👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🏴‍☠️ ❤️ ☎︎ 👍🏽 🧑🏿‍🚀 🇩🇪 1️⃣ #️⃣ ©️',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'می‌خواهم کتاب‌ها را بخوانم',
  'क्‍ष क्‌ष ර්‍ය বাংলা র‍্যাব',
  'العربية \u0600 ١٢٣',
  '日本語、한국어, Ελληνικά, עברית, ไทย, e\u0301',
])('%s is kept', text => expect(visible(text)).toBe(text));

test('a line break of any kind becomes a space in a one-line text, and begins an indented line in a block', () => {
  for (const end of ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029']) {
    expect(onOneLine(`a${end}b\tc\u200f`)).toBe('a b c\\u{200F}');
    expect(inBlock(`a${end}b\tc\u200f`, '  ')).toBe('a\n  b\tc\\u{200F}');
  }
});

test('hidden characters are escaped in the values and the keys of JSON', () => {
  const value = { 'k\u200b': ['\u202e', 1, null, { deep: 'a\nb\u00ad' }], ['__proto__']: true };
  expect(JSON.stringify(visibleJson(value))).toBe(
    JSON.stringify({ 'k\\u{200B}': ['\\u{202E}', 1, null, { deep: 'a\nb\\u{AD}' }], ['__proto__']: true }),
  );
});

test.each([
  ['hidden characters', '\u200b'],
  ['emoji that never end', '👩\u200d'],
  ['joiners', '\u200d'],
  ['Persian letters and non-joiners', 'ی\u200c'],
  ['flags that never end', '🏴\u{e0067}\u{e0062}'],
  ['pictographs', '❤'],
])('%s take linear time', (_, unit) => {
  // Measures processor time, because other work on the machine does not lengthen it, four runs together, because the
  // clock is coarse, and the least of three times, because garbage collection of earlier tests counts too.
  const processorTimeFor = (count: number) => {
    const text = unit.repeat(count);
    const times = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      for (let run = 0; run < 4; run++) visible(text);
      return process.cpuUsage(before).user;
    });
    return Math.min(...times);
  };
  processorTimeFor(8_000);
  // A text of eight times the length would take 64 times as long in quadratic time.
  expect(processorTimeFor(64_000)).toBeLessThan(32 * Math.max(processorTimeFor(8_000), 10_000));
});
