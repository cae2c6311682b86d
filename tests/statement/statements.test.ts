/** Pairs of short notes that contradict each other, and pairs that do not. */
import { expect, test } from 'vitest';
import { cannotBothHold } from '../../src/statement/exclusive.js';
import { readStatement } from '../../src/statement/read.js';

const EARLIER = '2025-01-15T10:00:00Z';
const LATER = '2025-02-20T10:00:00Z';

function areExclusive(older: string, newer: string, question = ''): boolean {
  return cannotBothHold(readStatement(older, Date.parse(EARLIER)), readStatement(newer, Date.parse(LATER)), question);
}

test.each([
  ['a version', 'Orbit runs on Node 20.', 'Orbit runs on Node 22.'],
  ['a number with another verb', 'Orbit listens on port 5000.', 'Orbit is reached on 6000.'],
  [
    'a number in another unit of the same quantity',
    'Orbit times out after 30 seconds.',
    'Orbit times out after 1 minute.',
  ],
  ['a telephone number', "Dad's phone number is 0631 555 1420.", 'Dad can be reached at 0640 555 8871.'],
  ['a place', 'Henrik lives in Porto.', 'Henrik lives in Kiel.'],
  ['a time of day', 'The shop opens at 9:00.', 'The shop opens at 10:00.'],
  [
    'a day in the future of both notes',
    'The dentist appointment is on 3 March.',
    'The dentist appointment is on 9 March.',
  ],
  ['a day written in numbers', 'The launch of Orbit is on 2025-03-03.', 'The launch of Orbit is on 2025-03-09.'],
  ['a weekly day', 'The weekly call is on Mondays.', 'The weekly call is on Thursdays.'],
  ['another person in the same role', 'Pavel Horák is tech lead of Orbit.', 'Johanna Birk is the tech lead of Orbit.'],
  ['a denial', 'Orbit is deployed in Frankfurt.', 'Orbit is no longer deployed in Frankfurt.'],
  ['a withdrawn denial', 'Orbit does not support dark mode.', 'Orbit supports dark mode.'],
  ['a change', 'The rate limit of Orbit is 50.', 'The rate limit of Orbit was raised to 80.'],
  ['a remark after a comma', 'Henrik lives in Porto.', 'Henrik lives in Kiel, where he teaches.'],
  ['another language', 'Orbit hört auf Port 5000.', 'Orbit hört auf Port 6000.'],
])('two notes contradict each other: %s', (_, older, newer) => {
  expect(areExclusive(older, newer)).toBe(true);
});

test.each([
  ['the same', 'Orbit runs on Node 20.', 'Orbit is running on Node 20.'],
  ['another subject', 'Henrik lives in Porto.', 'Mara lives in Porto.'],
  ['another subject and value', "Henrik's office is room 12.", "Mara's office is room 14."],
  ['people who share a name', 'Anna Roth works in Bern.', 'Anna Kestner works in Basel.'],
  ['a qualifier', "Orbit's database is on port 6000.", "The replica of Orbit's database is on port 6001."],
  ['two qualifiers', "Mum's mobile number is 0631 555.", "Mum's landline number is 0205 551."],
  ['a qualifier after the value', 'Orbit has 4 GB in staging.', 'Orbit has 16 GB in production.'],
  ['a participle as a qualifier', 'Orbit allows 200 calls to free users.', 'Orbit allows 900 calls to paying users.'],
  ['two settings', 'The retry limit of Orbit is 3.', 'The retry delay of Orbit is 5.'],
  ['bounds on both sides', 'Orbit needs at least 4 GB.', 'Orbit needs at most 16 GB.'],
  ['opposite verbs', 'The shop opens at 9:00.', 'The shop closes at 18:00.'],
  ['quantities of two kinds', 'The Fjellduk tent is 2 kg.', 'The Fjellduk tent is 3 m.'],
  ['several likes', 'Henrik likes Bach.', 'Henrik likes Mahler.'],
  ['several tools', 'Orbit uses Redis.', 'Orbit uses Postgres.'],
  ['several colleagues', 'Anna works with Pavel on Orbit.', 'Anna works with Johanna on Orbit.'],
  ['numbered things', 'Ticket 412 of Orbit needs review.', 'Ticket 431 of Orbit needs review.'],
  ['two past events', 'Anna ran 5 km on the Orbit track.', 'Anna ran 8 km on the Orbit track.'],
  ['two completed actions', 'Deployed Orbit 1.2.0 to production.', 'Deployed Orbit 1.3.0 to production.'],
  ['events on two days', 'Orbit 2.8 is out since 3 March.', 'Orbit 2.9 is out since 9 March.'],
  ['a day that had passed', 'The dentist appointment is on 3 February.', 'The dentist appointment is on 9 March.'],
  ['several days of the week', 'Mila has piano on Tuesdays.', 'Mila has piano on Thursdays.'],
  ['paths', 'In Orbit, call GET /v1/users.', 'In Orbit, call GET /v1/orders.'],
  ['nouns of a language that capitalises them', 'Der Hund trinkt Wasser.', 'Der Hund trinkt Milch.'],
  ['nothing in common', 'The lamp costs 12 euro.', 'Mila is 12 years old.'],
])('two notes do not contradict each other: %s', (_, older, newer) => {
  expect(areExclusive(older, newer)).toBe(false);
});

test.each(['Which ports does Orbit use?', 'What are the ports of Orbit?', 'Port of Orbit and Comet'])(
  'two answers to a question for several things do not contradict each other: %s',
  question => {
    const notes = ['Orbit listens on port 5000.', 'Orbit listens on port 6000.'] as const;
    expect(areExclusive(...notes, 'Which port does Orbit use?')).toBe(true);
    expect(areExclusive(...notes, question)).toBe(false);
  },
);

test('empty and very long texts are read without error', () => {
  for (const text of ['', '…', '5 '.repeat(40_000), 'a-'.repeat(40_000), '李雷住在柏林']) {
    expect(areExclusive(text, `${text}1`)).toBe(false);
  }
});
