/** Time expressions in a recall: the memories within their time, and the rejection of unreadable expressions. */
import { beforeAll, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, clock } = await openRecallApp();
clock.advance((5 * 60 + 36) * 60_000);

beforeAll(() =>
  store({
    seconds: { content: 'Noted ten seconds ago', timestamp: '2026-03-01T17:35:50Z' },
    minutes: { content: 'Noted four minutes ago', timestamp: '2026-03-01T17:32:00Z' },
    hours: { content: 'Noted two hours ago', timestamp: '2026-03-01T15:36:00Z' },
    days: { content: 'Noted two days ago', timestamp: '2026-02-27T17:36:00Z' },
    weeks: { content: 'Noted three weeks ago', timestamp: '2026-02-08T17:36:00Z' },
    months: { content: 'Noted thirteen months ago', timestamp: '2025-02-01T17:36:00Z' },
  }),
);

const ALL = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'];

test.each([
  ['last 30 seconds', 1],
  ['last 5 mins', 2],
  ['last half an hour', 2],
  ['last 1.5 hours', 2],
  ['last 2h', 3],
  ['last 3 hrs', 3],
  ['past 2.5 days', 4],
  ['last several days', 4],
  ['last thirty days', 5],
  ['past 1 year and 2 months', 6],
  ['last 2 yrs', 6],
  ['within 7 days', 4],
  ['for two weeks', 4],
  ['over a month', 5],
])('time_query: %s finds the memories from that time until now', async (time_query, count) => {
  expect(await recall({ time_query, limit: '10' })).toEqual(ALL.slice(0, count));
  const { time_window } = await ask({ time_query });
  expect(time_window.end).toBe('2026-03-01T17:36:00.000Z');
});

test.each([
  ['Friday last week', '2026-02-20T00:00:00.000Z', '2026-02-20T23:59:59.999Z'],
  ['on Tuesday of last week', '2026-02-17T00:00:00.000Z', '2026-02-17T23:59:59.999Z'],
  ['Monday last week at 5pm', '2026-02-16T17:00:00.000Z', '2026-02-16T17:59:59.999Z'],
  ['Friday this week', '2026-02-27T00:00:00.000Z', '2026-02-27T23:59:59.999Z'],
  ['at the weekend', '2026-02-28T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ['next weekend', '2026-03-07T00:00:00.000Z', '2026-03-08T23:59:59.999Z'],
  ['2026-02-20 10:00 to 12:00', '2026-02-20T10:00:00.000Z', '2026-02-20T12:59:59.999Z'],
  ['3 May 2025 9am until 11am', '2025-05-03T09:00:00.000Z', '2025-05-03T11:59:59.999Z'],
  ['yesterday 9am to 5pm', '2026-02-28T09:00:00.000Z', '2026-02-28T17:59:59.999Z'],
  ['yesterday 9am to now', '2026-02-28T09:00:00.000Z', '2026-03-01T17:59:59.999Z'],
  ['Freitag letzte Woche', '2026-02-20T00:00:00.000Z', '2026-02-20T23:59:59.999Z'],
  ['в пятницу на прошлой неделе', '2026-02-20T00:00:00.000Z', '2026-02-20T23:59:59.999Z'],
])('time_query: %s lies between %s and %s', async (time_query, start, end) => {
  expect((await ask({ time_query })).time_window).toEqual({ start, end });
});

test.each(['Feb 29', 'since Feb 30', 'May 32'])(
  'time_query: %s names no day and is not read as a year',
  async phrase => {
    expect(await ask({ time_query: phrase }, 400)).toMatchObject({ field: 'time_query' });
  },
);

test.each(['last 5M', 'last 3 working days', 'last umpteen hours', 'last 3 hrs or so', 'past 2-3 days'])(
  'time_query: %s is rejected with the name of the field',
  async time_query => {
    expect(await ask({ time_query }, 400)).toMatchObject({ field: 'time_query' });
  },
);
