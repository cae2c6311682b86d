/** Golden questions that name a date. Hardly any of the answering memories contains the date. */
import type { AnswerableQuery } from './golden-query.js';

export const DATE_QUERIES: readonly AnswerableQuery[] = [
  { ask: 'What did we decide on 6 May 2025?', expected: ['auth-paseto'] },
  { ask: 'What happened on 12 February 2026?', expected: ['meeting-roadmap'] },
  { ask: 'What did we discuss on February 25, 2026?', expected: ['meeting-security', 'meeting-vendor'], within: 2 },
  { ask: 'What did we learn on 2026-02-10?', expected: ['windows-paths'] },
  { ask: 'What broke in October 2025?', expected: ['parse-response', 'flaky-timezone'], within: 3 },
  { ask: 'What did we reject on July 8, 2025?', expected: ['graphql-rejected'] },
  { ask: 'Was there a meeting on 20 Feb 2026?', expected: ['meeting-retro'] },
  { ask: 'Which decision about orders was made in September 2025?', expected: ['db-postgres'] },
  { ask: 'Which decision about orders was made in March 2025?', expected: ['db-mysql'], isMissed: true },
  // The date is in the text of the note, and is not the note's creation date.
  { ask: 'When does her mother turn seventy, on 3 June?', expected: ['mother-birthday'] },
  { ask: 'What is booked for 12 July?', expected: ['trip-norway'] },
];
