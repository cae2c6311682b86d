/** Tests how a text is split into words, stems and query terms. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isStopWord } from '../../src/domain/text/language.js';
import { indexedTerms, queryTerms, stems } from '../../src/domain/text/terms.js';
import { dictionaryWords, stem, words } from '../../src/domain/text/words.js';
import { anyCharacter } from '../support/any-character.js';

const SINGLE_KANA = /^[\p{scx=Hira}\p{scx=Kana}]$/u;

describe('words', () => {
  test.each<[string, string, string[]]>([
    ['are lower case without punctuation', 'Hello, World! (again)', ['hello', 'world', 'again']],
    ['lose accents', 'Crème brûlée Zoë ΆΝΘΡΩΠΟΣ ёж', ['creme', 'brulee', 'zoe', 'ανθρωποσ', 'еж']],
    ['lose possessives and apostrophes', "Zoë's don't O’Brien", ['zoe', 'dont', 'obrien', 'o', 'brien']],
    ['lose elided words', "l’équipe d'Élodie dell’anno qu'il", ['equipe', 'elodie', 'anno', 'il']],
    ['end at an apostrophe before a suffix', "GitHub'da Elif’e", ['github', 'git', 'hub', 'da', 'elif', 'e']],
    ['keep apostrophes of Cyrillic words', "об'єднання", ['обєднання']],
    [
      'end where the script changes',
      'Notion에 بالـAPI Prometheus’ом',
      ['notion', '에', 'بال', 'api', 'prometheus', 'ом'],
    ],
    ['keep numbers', 'v2 costs 1,000', ['v2', 'costs', '1', '000']],
    ['of a version or an address are the whole and its parts', 'v2.0.1', ['2ꞏ0ꞏ1', 'v2', '0', '1']],
    ['name languages with signs', 'C++, C# and f#', ['cpp', 'csharp', 'and', 'fsharp']],
    ['split at underscores and paths', 'src/domain/my_file.ts', ['src', 'domain', 'my', 'file', 'ts']],
    ['of a camel-case name are the name and its parts', 'parseJSONBody', ['parsejsonbody', 'parse', 'json', 'body']],
    ['with an initial capital are not split', 'Hello', ['hello']],
    ['in capitals are not split', 'HTTP', ['http']],
    ['of a name with digits are split after the digits', 'base64Encode', ['base64encode', 'base64', 'encode']],
    ['keep marks that carry meaning', 'हिन्दी', ['हिन्दी']],
    [
      'lose strokes and ligatures',
      'Łódź smørrebrød Đà œuvre Straße ışık',
      ['lodz', 'smorrebrod', 'da', 'oeuvre', 'strasse', 'isik'],
    ],
    ['have one form of Arabic letters', 'أحمد يُعاد کتاب كـتاب', ['احمد', 'يعاد', 'كتاب', 'كتاب']],
    ['lose vowel points', 'הַמּוֹרֶה צה״ל', ['המורה', 'צהל']],
    ['end at a zero-width non-joiner', 'کتاب\u200cها', ['كتاب', 'ها']],
    ['have one form of digits', '٤٧ ४७ ๔๗', ['47', '47', '47']],
    ['with a number yield their parts', 'python3 oauth2', ['python3', 'python', '3', 'oauth2', 'oauth', '2']],
    ['name frameworks with a dot', '.NET and node.js', ['dotnet', 'net', 'and', 'node', 'js']],
    ['are pairs of Han characters and kana', '報告書を', ['報告', '告書', '書を']],
    ['in compatibility forms become plain letters', 'ﬁne ｆｕｌｌ ²', ['fine', 'full', '2']],
    ['are single emoji', '🎉 ❤️ 👩‍💻', ['🎉', '❤', '👩', '💻']],
    ['are not found in spaces and punctuation', ' \n\t...---!?', []],
    ['are not found in an empty text', '', []],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('are found in scripts without spaces', () => {
    expect(dictionaryWords('昨日は東京で会議')).toEqual(expect.arrayContaining(['東京', '会議']));
    expect(words('ภาษาไทยง่าย').length).toBeGreaterThan(1);
    for (const text of ['ភាសាខ្មែរស្រួល', 'ພາສາລາວງ່າຍ', 'မြန်မာစာလွယ်တယ်'])
      expect(words(text).length, text).toBeGreaterThan(1);
  });

  test('are found in a long text of characters that stand for several', () => {
    expect(words('㌖'.repeat(50_000)).length).toBeGreaterThan(50_000);
    expect(indexedTerms({ content: '㍿'.repeat(50_000), tags: [], metadata: {} }).ofContent.length).toBeGreaterThan(
      50_000,
    );
    expect(queryTerms('\ufdfa'.repeat(10_000))).not.toEqual([]);
  });

  test('are cut after 64 UTF-16 units in every script, and never within a character', () => {
    expect(words('x'.repeat(1000))).toEqual(['x'.repeat(64)]);
    expect(words(`${'x'.repeat(1000)}日本`)[0]).toBe('x'.repeat(64));
    expect(words(`${'𐐨'.repeat(100)}`)).toEqual([`${'𐐨'.repeat(32)}`]);
    const manyParts = words(`${'a'.repeat(100)}B${'c'.repeat(100)}`);
    expect(manyParts).toEqual(['a'.repeat(64), 'a'.repeat(64), `b${'c'.repeat(63)}`]);
  });

  test('of any text are well-formed and short, and contain no white space', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 200 });
    fc.assert(
      fc.property(text, value => {
        for (const word of words(value)) {
          expect(word.isWellFormed()).toBe(true);
          expect(word.length).toBeGreaterThan(0);
          expect(word.length).toBeLessThanOrEqual(64);
          expect(word).not.toMatch(/\s/);
        }
      }),
    );
  });

  test('do not depend on case', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,10}$/)), list => {
        expect(words(list.join(' ').toUpperCase())).toEqual(words(list.join(' ')));
      }),
    );
  });

  test('are found in linear time in long texts', () => {
    const startedMs = performance.now();
    words('あ'.repeat(50_000));
    words('aB'.repeat(25_000));
    words('é'.repeat(50_000));
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});

describe('stems', () => {
  test('are equal for the forms of a word', () => {
    expect(new Set(['migrate', 'migrates', 'migrated', 'migrating', 'migration', 'migrations'].map(stem)).size).toBe(1);
  });

  test('are formed for plain English letters only', () => {
    expect(['is', 'ёлки', 'v2s', '東京', ''].map(stem)).toEqual(['is', 'ёлки', 'v2s', '東京', '']);
  });

  test('are correct for words such as "constructor" that are also names of object properties', () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    expect(names.every(name => typeof stem(name) === 'string')).toBe(true);
    expect(stems('constructor')).toEqual(queryTerms('Constructors'));
  });

  test('are in reading order, with repetitions', () => {
    expect(stems('tests test the testing')).toEqual(['test', 'test', 'the', 'test']);
  });
});

describe('query terms', () => {
  test.each<[string, string[]]>([
    ['what did we decide about the database', ['decid', 'databas']],
    ['the who', ['the', 'who']],
    ['test testing tests', ['test']],
    ['!!!', []],
    ['', []],
  ])('of %j are %j', (query, expected) => {
    expect(queryTerms(query)).toEqual(expected);
  });

  test('are distinct stems of words of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const terms = queryTerms(text);
        expect(new Set(terms).size).toBe(terms.length);
        const { ofContent } = indexedTerms({ content: text, tags: [], metadata: {} });
        expect(ofContent).toEqual(expect.arrayContaining(terms.filter(term => !SINGLE_KANA.test(term))));
        expect(terms.length > 0).toBe(words(text).length > 0);
      }),
    );
  });

  test('treat "the" as a stop word, but not "database"', () => {
    expect(isStopWord('the')).toBe(true);
    expect(isStopWord('database')).toBe(false);
    expect(isStopWord('')).toBe(false);
  });
});
