/** Checks which pairs of notes count as duplicates, and in which pairs the notes contradict each other. */
import { expect, test } from 'vitest';
import { isDuplicate } from '../../src/consolidation/evidence/duplicate.js';
import { contradictEachOther } from '../../src/consolidation/evidence/replacement.js';
import { createMemory, type Memory } from '../../src/domain/memory.js';
import { DIFFERING_PAIRS } from '../golden/differing-pairs.js';
import { RELATED_PAIRS } from '../golden/related-pairs.js';

function noted(content: string, timestamp: string, tags: string[] = []): Memory {
  return createMemory({ content, metadata: {}, timestamp, tags }, `${timestamp} ${content}`, 0);
}

function pairOf(older: string, newer: string): [Memory, Memory] {
  return [noted(older, '2025-03-01T10:00:00Z'), noted(newer, '2025-06-01T10:00:00Z')];
}

const CLOSE = { closeness: 0.9 };

test.each([
  ['the same words', 'The spare key hangs in the meter cupboard.', 'The spare key hangs in the meter cupboard.'],
  ['a different word order', 'On Friday Ottilie waters the ferns twice.', 'Ottilie waters the ferns twice on Friday.'],
  ['different function words', 'Kestrel keeps its logs for 400 days.', 'The logs of Kestrel are kept for 400 days.'],
])('two notes with %s count as duplicates', (_, one, other) => {
  expect(isDuplicate(pairOf(one, other), CLOSE)).toBe(true);
});

const LONG = 'hangs in the meter cupboard beside the front door under the small brass lamp of the neighbour';

test.each([
  ['another number', `Key 4 ${LONG}.`, `Key 5 ${LONG}.`],
  ['another name', `The key of Ottilie ${LONG}.`, `The key of Henrike ${LONG}.`],
  ['another weekday', `On Mondays the key ${LONG}.`, `On Fridays the key ${LONG}.`],
  ['another date', `Since 3 May the key ${LONG}.`, `Since 9 May the key ${LONG}.`],
  ['an additional number', `The key ${LONG}.`, `The key 7 ${LONG}.`],
  ['a denial', `The key ${LONG}.`, `The key never ${LONG}.`],
  ['other words', 'The spare key hangs in the meter cupboard.', 'The spare fuse lies in the tool drawer.'],
])('two notes do not count as duplicates if one has %s', (_, one, other) => {
  expect(isDuplicate(pairOf(one, other), CLOSE)).toBe(false);
});

test('two notes with the same words but distant vectors do not count as duplicates', () => {
  expect(isDuplicate(pairOf('The key hangs here.', 'The key hangs here.'), { closeness: 0.2 })).toBe(false);
});

test.each([
  ['a value', 'Kestrel listens on port 7443.', 'Kestrel is reached on 7553.'],
  ['a day, with "now" in the newer one', 'The choir rehearses on Tuesdays.', 'The choir now rehearses on Thursdays.'],
  ['a name, with "now" in the newer one', 'Osprey runs on Redshift.', 'Osprey runs on Snowflake now.'],
])('two notes contradict each other if they differ in %s', (_, older, newer) => {
  expect(contradictEachOther(...pairOf(older, newer))).toBe(true);
});

test.each([
  ['two subjects, one of them with "now"', 'Kestrel has a queue.', 'Osprey now has a queue.'],
  ['two occasions', 'We met Ottilie on Tuesday.', 'We met Ottilie on Thursday.'],
  ['an additional detail', 'The choir rehearses on Tuesdays.', 'The choir now rehearses on Tuesdays in the hall.'],
])('two notes do not contradict each other if they mention %s', (_, older, newer) => {
  expect(contradictEachOther(...pairOf(older, newer))).toBe(false);
});

test('two notes with the tags of different projects do not contradict each other', () => {
  const older = noted('The limit is 20 requests.', '2025-03-01T10:00:00Z', ['project:kestrel']);
  const newer = noted('The limit is 50 requests.', '2025-06-01T10:00:00Z', ['project:osprey']);
  expect(contradictEachOther(older, newer)).toBe(false);
});

test('contradictions are found in over 45% of the differing golden pairs, but in no related golden pair', () => {
  const wrong = RELATED_PAIRS.filter(({ older, newer, tags }) =>
    contradictEachOther(noted(older.content, older.at, tags), noted(newer.content, newer.at, tags)),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
  const right = DIFFERING_PAIRS.filter(({ older, newer, tags }) =>
    contradictEachOther(noted(older.content, older.at, tags), noted(newer.content, newer.at, tags)),
  );
  expect(right.length).toBeGreaterThan(DIFFERING_PAIRS.length * 0.45);
});
