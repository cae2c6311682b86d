/** The filters of the page are those of `GET /recall`. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { recallParameters } from '../../src/api/recall-request.js';
import { queryString } from '../../src/client/sender.js';
import { countFilters, FILTERS, toRecall } from '../../src/web/search/search-view.js';
import { openTestApp, UNKNOWN_ID } from '../http/test-app.js';
import { testLimits } from '../support/test-limits.js';

/**
 * Parameters of a recall for which the page has no input field. The page sets them itself, or they repeat another
 * parameter, or they are useless to a person.
 */
const WITHOUT_FIELD = ['query', 'explain', 'order_by', 'current_only', 'state_debug', 'embedding'];

const SAMPLES: Record<string, string> = {
  start: '2026-01-01',
  end: 'yesterday',
  time_query: 'last 7 days',
  context_types: 'decision, Style',
  priority_ids: UNKNOWN_ID,
};
const sampleOf = ({ name, kind, choices = [] }: (typeof FILTERS)[number]) =>
  SAMPLES[name] ?? { text: 'one, two', number: '1', flag: 'true', choice: choices.at(-1) ?? '' }[kind];

test('every parameter of a recall has a field', () => {
  const parameters = Object.keys(recallParameters(testLimits()).shape);
  const fields = FILTERS.map(({ name }) => name as string);
  expect(fields.toSorted()).toEqual(parameters.filter(name => !WITHOUT_FIELD.includes(name)).sort());
});

describe.each(FILTERS)('$name', filter => {
  test('is accepted by the service in the form that the page sends', async () => {
    const { call, close } = await openTestApp();
    onTestFinished(close);
    const fields = new URLSearchParams({ query: 'shop', [filter.name]: sampleOf(filter) });
    expect(countFilters(fields)).toBe(1);
    const asked = toRecall(fields);
    expect(asked).toHaveProperty(filter.name);
    const { status, body } = await call(`GET /recall${queryString(asked)}`);
    expect([status, body.message]).toEqual([200, undefined]);
  });
});

test('fields without a value are not sent, and the error for a wrong number names its field', async () => {
  expect(toRecall(new URLSearchParams('query=%20&tags=&limit='))).toEqual({ limit: 20, explain: true });
  const { call, close } = await openTestApp();
  onTestFinished(close);
  const { status, body } = await call(`GET /recall${queryString(toRecall(new URLSearchParams('min_score=much')))}`);
  expect([status, body.field]).toEqual([400, 'min_score']);
});
