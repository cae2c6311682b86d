/** What a person typed is searched for, in any language and whatever marks stand in it, and a log below it is not. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openForTest } from '../engine/open-engine.js';
import { createTestApp, send } from '../http/test-app.js';

interface PersonsPrompt {
  says: string;
  /** What the person pasted below it. */
  pastes?: string;
}

const PROMPTS = readFileSync(new URL('prompts-of-people.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as PersonsPrompt);

const withoutEmptyLines = (text: string) => text.replaceAll(/\n+/g, '\n');

test.each(PROMPTS)('hears $says', async ({ says, pastes }) => {
  const { engine, log } = await openForTest();
  const prompt = pastes === undefined ? says : `${says}\n${pastes}`;
  const { body } = await send(createTestApp({ engine, log }), `GET /hooks/try?prompt=${encodeURIComponent(prompt)}`);
  expect(body.said).toBe(withoutEmptyLines(says));
});
