/** Tests that times in words are in the zone of the setting TIME_ZONE, also on days on which clocks change. */
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { timeZoneNamed } from '../../src/time/calendar.js';
import { readTimeWords } from '../../src/time/time-window.js';
import { openRecallApp } from '../recall/recall-app.js';
import { readText } from '../support/source-code.js';

interface Line {
  phrase: string;
  now: string;
  zone: string;
  from: string;
  to: string;
}

const lines = readText('tests/time/time-zones.jsonl')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Line);
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

test.each(lines)('in $zone at $now, "$phrase" means $from to $to', async ({ phrase, now, zone, from, to }) => {
  const context = { nowMs: Date.parse(now), zone: timeZoneNamed(zone), meant: 'last' } as const;
  const window = await readTimeWords(phrase, context);
  expect([iso(window?.fromMs), iso(window?.toMs)]).toEqual([iso(Date.parse(from)), iso(Date.parse(to))]);
});

test('TIME_ZONE is a known zone, by default that of the machine', () => {
  expect(loadConfig({ TIME_ZONE: 'europe/berlin' }).timeZone).toBe('Europe/Berlin');
  expect(loadConfig({}).timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(() => loadConfig({ TIME_ZONE: 'Berlin' })).toThrow(
    "TIME_ZONE must be the IANA name of a time zone, such as Europe/Berlin, but is 'Berlin'",
  );
});

describe('with TIME_ZONE=Pacific/Kiritimati, 14 hours ahead of UTC', async () => {
  // The clock shows Monday, 2 March 2026, 02:00 there.
  const { ask, request, recall, store } = await openRecallApp({ TIME_ZONE: 'Pacific/Kiritimati' });

  test('a recall reads words in the zone, and dates in ISO 8601 as UTC', async () => {
    expect((await ask({ time_query: 'today' })).time_window).toEqual({
      start: '2026-03-01T10:00:00.000Z',
      end: '2026-03-02T09:59:59.999Z',
    });
    expect((await ask({ start: 'yesterday', end: '2026-03-01' })).time_window).toEqual({
      start: '2026-02-28T10:00:00.000Z',
      end: '2026-03-01T23:59:59.999Z',
    });
    expect((await ask({ time_query: '今日' })).time_window.start).toBe('2026-03-01T10:00:00.000Z');
  });

  test('times of memories in words are in the zone, and dates in ISO 8601 in UTC', async () => {
    const given = { content: 'A note', timestamp: 'yesterday', t_valid: '2026-02-28', t_invalid: 'tomorrow at 5pm' };
    const { memory_id } = await request('POST /memory', given, 201);
    expect(await request(`GET /memory/${memory_id}`)).toMatchObject({
      timestamp: '2026-02-28T10:00:00.000Z',
      t_valid: '2026-02-28T00:00:00.000Z',
      t_invalid: '2026-03-03T03:00:00.000Z',
    });
  });

  test('a date in a question means the day in the zone', async () => {
    await store({
      before: { content: 'Rain', timestamp: '2026-02-02T09:30:00Z' },
      during: { content: 'Snow', timestamp: '2026-02-02T10:30:00Z' },
    });
    for (const query of ['What was noted on 3 February?', 'Что было 3 февраля?']) {
      const found = await recall({ query });
      expect(found, query).toContain('during');
      expect(found, query).not.toContain('before');
    }
  });
});
