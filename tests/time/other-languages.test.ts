/**
 * Times in words in the languages that chrono-node reads besides English. The expected bounds are in the zone of each
 * line, with its offset.
 */
import { describe, expect, test } from 'vitest';
import { timeZoneNamed, UTC } from '../../src/time/calendar.js';
import { readTimeWords } from '../../src/time/time-window.js';
import { PHRASE_BOOKS } from '../../src/time/translation.js';
import { readText } from '../support/source-code.js';

interface Line {
  language: string;
  phrase: string;
  now: string;
  zone: string;
  /** null for an open side. */
  from: string | null;
  to: string | null;
}

const lines = readText('tests/time/times-in-words.jsonl')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Line);
const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
const utc = (text: string | null) => (text === null ? null : iso(Date.parse(text)));

describe.each(Object.keys(PHRASE_BOOKS))('in %s', language => {
  test.each(lines.filter(line => line.language === language))('"$phrase" means $from to $to', async line => {
    const zone = timeZoneNamed(line.zone);
    const window = await readTimeWords(line.phrase, { nowMs: Date.parse(line.now), zone, meant: 'last' });
    expect({ from: iso(window?.fromMs), to: iso(window?.toMs) }).toEqual({ from: utc(line.from), to: utc(line.to) });
  });
});

test('phrases in no language are refused', async () => {
  for (const phrase of ['when pigs fly', 'wenn Schweine fliegen', 'quand les poules auront des dents', 'ох', '空']) {
    expect(await readTimeWords(phrase, { nowMs: 0, zone: UTC, meant: 'last' }), phrase).toBeUndefined();
  }
});
