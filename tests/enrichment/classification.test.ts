/** Cues determine a type and a confidence. tests/golden/classification.test.ts measures the quality of the cues. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyByPatterns } from '../../src/enrichment/classify/cues.js';
import { anyCharacter } from '../support/any-character.js';

describe('the confidence of a classification depends on the number of different cues', () => {
  test.each([
    ['one cue', 'We decided to wait.', 0.6],
    ['two cues', 'We decided to wait and opted for the old plan.', 0.8],
    ['three cues', 'We decided to wait, opted for the old plan and chose Redis.', 0.9],
    [
      'more cues',
      'Decided to wait, opted for the plan, chose Redis, picked a date and settled; it was our final decision.',
      0.95,
    ],
    ['the same cue twice', 'We decided to wait and decided to rest.', 0.6],
  ])('%s', (_, text, confidence) => expect(classifyByPatterns(text)).toEqual({ type: 'Decision', confidence }));
});

describe('choice between types', () => {
  test('the type with more cues is chosen', () => {
    expect(
      classifyByPatterns('We decided to go, since I prefer trains and my favourite is the night train.')?.type,
    ).toBe('Preference');
  });

  test.each([
    ['Decision', 'We decided to test before each release.'],
    ['Pattern', 'Usually I prefer tea.'],
    ['Preference', 'I prefer to run every morning.'],
    ['Style', 'The text is written in a formal style, as discovered.'],
    ['Habit', 'I always realized it late.'],
    ['Insight', 'During the call I realized it.'],
  ])('with equally many cues, %s is chosen over types of lower precedence', (type, text) => {
    expect(classifyByPatterns(text)?.type).toBe(type);
  });
});

describe('words with another meaning are not cues', () => {
  test.each([
    ['when', 'When the alarm rings, call the guard.'],
    ['responded to', 'Maria responded to the ticket.'],
    ['picked up', 'Picked up the parcel.'],
    ['went with somebody', 'I went with her to the dentist.'],
    ['how often', 'How often does the bus leave?'],
    ['everything', 'The drawer keeps everything dry.'],
    ['a routine of a program', 'The routine parses dates.'],
  ])('%s', (_, text) => expect(classifyByPatterns(text)).toBeUndefined());
});

test('upper case and curly apostrophes make no difference to cues', () => {
  expect(classifyByPatterns('I CAN’T STAND NOISE')?.type).toBe('Preference');
});

test('any text yields a type with its confidence, or nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 500 }), text => {
      const found = classifyByPatterns(text);
      if (found) expect([0.6, 0.8, 0.9, 0.95]).toContain(found.confidence);
      expect(classifyByPatterns(text)).toEqual(found);
    }),
    { numRuns: 100 },
  );
});

test.each([['a'.repeat(50_000)], ['going with '.repeat(5_000)], ['wrote uses i '.repeat(4_000)]])(
  'classification accepts very long texts',
  text => {
    expect(() => classifyByPatterns(text)).not.toThrow();
  },
);
