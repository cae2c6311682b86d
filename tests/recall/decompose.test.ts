/** Decomposing a query into names and subjects. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decompose } from '../../src/recall/plan.js';

describe('decompose: a query with names yields its first two names, each alone and with up to three subjects', () => {
  test.each([
    ['What did Dmitri say about the ledger?', ['Dmitri', 'Dmitri ledger']],
    ['Where did Yuki Arai’s team move?', ['Yuki Arai', 'Yuki Arai team', 'Yuki Arai move']],
    ['Dmitri likes Signal', ['Dmitri', 'Dmitri likes', 'Signal', 'Signal likes']],
    ['Did Oksana and Tomasz meet Priya in Lisbon?', ['Oksana', 'Oksana meet', 'Tomasz', 'Tomasz meet']],
    ['Is Jean-Luc in New York?', ['Jean-Luc', 'New York']],
    ['Who met Conor O’Brien?', ['Conor O’Brien']],
    ['What is “The Salt Cartographer” about?', ['The Salt Cartographer']],
    ['The Lanternfish API is slow', ['Lanternfish API', 'Lanternfish API slow']],
    ['Élodie and Zoë', ['Élodie', 'Zoë']],
    ['Wann kommt Frau Wegener?', ['Wann', 'Wann kommt', 'Frau Wegener', 'Frau Wegener kommt']],
  ])('%s', (question, texts) => expect(decompose(question)).toEqual(texts));
});

describe('decompose: words that begin a request, and times, are not names', () => {
  test.each([
    ['Tell me what Ruben plans', ['Ruben', 'Ruben tell', 'Ruben plans']],
    ['Yes, and Lena?', ['Lena']],
    ['What happened to Lena in May?', ['Lena', 'Lena happened']],
  ])('%s', (question, texts) => expect(decompose(question)).toEqual(texts));
});

describe('decompose: a query without names yields up to three subjects of four letters or more', () => {
  test.each([
    ['kites', ['kites']],
    ['why did the inventory updates deadlock under load', ['inventory', 'updates', 'deadlock']],
    ['what does dmitri like', ['dmitri', 'like']],
    ['parseHttpResponse bug', ['parsehttpresponse', 'parse', 'http']],
    ['the red car', []],
    ['Is it?', []],
    ['', []],
  ])('%s', (question, texts) => expect(decompose(question)).toEqual(texts));
});

test('decompose: any query yields at most eight texts, without blank or repeated texts', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('Ruben', 'New York', '"', '“', '”', ' ', 'ledger', 'O’Brien', 'Über'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const texts = decompose(pieces.join(' '));
      expect(texts.length).toBeLessThanOrEqual(8);
      expect(new Set(texts).size).toBe(texts.length);
      for (const text of texts) expect(text.trim()).not.toBe('');
    }),
  );
});
