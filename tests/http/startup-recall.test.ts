/** GET /startup-recall: the memories that an assistant should read first (docs/decisions.md, "Startup recall"). */
import { describe, expect, onTestFinished, test } from 'vitest';
import { idOf } from '../support/records.js';
import { openTestApp } from './test-app.js';

async function opened() {
  const { app, call, engine, close } = await openTestApp();
  onTestFinished(close);
  const store = async (...memories: object[]) => {
    expect((await call('POST /memory/batch', { json: memories })).status).toBe(201);
    await engine.idle();
  };
  const recalled = async () => {
    const { status, body } = await call('GET /startup-recall');
    expect(status).toBe(200);
    return body;
  };
  const contents = async () => {
    const { critical_lessons, system_rules } = await recalled();
    return [critical_lessons, system_rules].map(list => list.map(({ content }: { content: string }) => content));
  };
  return { app, call, engine, store, recalled, contents };
}

test('startup recall of an empty memory returns empty lists and zero counts', async () => {
  const { recalled } = await opened();
  expect(await recalled()).toEqual({
    status: 'success',
    critical_lessons: [],
    system_rules: [],
    lesson_count: 0,
    has_critical: false,
    summary: 'Recalled 0 lesson(s) and 0 system rule(s)',
  });
});

test('startup recall: lessons and rules have the fields of the specification', async () => {
  const { store, recalled } = await opened();
  const lesson = { id: idOf(1), content: 'Back up before a migration.', type: 'Insight', importance: 0.95 };
  await store(
    { ...lesson, tags: ['Lesson'], metadata: { source: 'review' } },
    { id: idOf(2), content: 'Recall memories first.', tags: ['memory-recall', 'SYSTEM'], importance: 0.2 },
  );
  expect(await recalled()).toEqual({
    status: 'success',
    critical_lessons: [
      { ...lesson, tags: ['Lesson'], metadata: { source: 'review', enriched_at: expect.any(String) } },
    ],
    system_rules: [{ id: idOf(2), content: 'Recall memories first.', tags: ['memory-recall', 'SYSTEM'] }],
    lesson_count: 1,
    has_critical: true,
    summary: 'Recalled 1 lesson(s) and 1 system rule(s)',
  });
});

test('startup recall: one lesson or rule tag is enough, in upper or lower case, if the whole tag matches', async () => {
  const { store, contents } = await opened();
  await store(
    { content: 'by critical', tags: ['CRITICAL'], importance: 0.9 },
    { content: 'by lesson', tags: ['lesson', 'other'], importance: 0.8 },
    { content: 'by assistant', tags: ['AI-Assistant'], importance: 0.7 },
    { content: 'below a tag', tags: ['critical:disk', 'system/linux'] },
    { content: 'near a tag', tags: ['critically', 'memory'] },
    { content: 'both', tags: ['critical', 'system'], importance: 0.6 },
  );
  expect(await contents()).toEqual([['by critical', 'by lesson', 'by assistant', 'both'], ['both']]);
});

test('startup recall: at most ten lessons and five rules are listed, most important first, then newest', async () => {
  const { store, recalled, contents } = await opened();
  const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`;
  const memories = (tag: string) =>
    Array.from({ length: 14 }, (_, index) => ({
      content: `${tag} ${index}`,
      tags: [tag],
      importance: index < 7 ? 0.5 : 0.8,
      timestamp: at(index + 1),
    }));
  await store(...memories('critical'), ...memories('system'));
  const expected = (tag: string) => [13, 12, 11, 10, 9, 8, 7, 6, 5, 4].map(index => `${tag} ${index}`);
  expect(await contents()).toEqual([expected('critical'), expected('system').slice(0, 5)]);
  expect(await recalled()).toMatchObject({
    lesson_count: 10,
    has_critical: false,
    summary: 'Recalled 10 lesson(s) and 5 system rule(s)',
  });
});

test.each([
  [0.9, true],
  [0.899, false],
])('startup recall: a lesson of importance %d makes has_critical %s', async (importance, has_critical) => {
  const { store, recalled } = await opened();
  await store(
    { content: 'careful', tags: ['lesson'], importance },
    { content: 'rule', tags: ['system'], importance: 1 },
  );
  expect(await recalled()).toMatchObject({ has_critical });
});

describe('startup recall: invalid memories', () => {
  test('are left out until they are valid again, whatever made them invalid', async () => {
    const { call, store, contents } = await opened();
    await store(
      { id: idOf(1), content: 'expired', tags: ['lesson'], t_invalid: '2020-01-01' },
      { id: idOf(2), content: 'of next year', tags: ['lesson'], t_valid: '2027-01-01' },
      { id: idOf(3), content: 'replaced', tags: ['lesson'], importance: 1 },
      { id: idOf(4), content: 'current', tags: ['lesson'] },
    );
    await call('POST /memory', {
      json: { id: idOf(5), content: 'in its place', supersedes_memory_id: idOf(3), importance: 0.9 },
    });
    expect(await contents()).toEqual([['in its place', 'current'], []]);
    await call(`DELETE /memory/${idOf(5)}`);
    await call(`PATCH /memory/${idOf(1)}`, { json: { t_invalid: null, importance: 0.1 } });
    expect(await contents()).toEqual([['replaced', 'current', 'expired'], []]);
  });

  test('do not shorten the lists while there are more valid memories', async () => {
    const { call, store, contents } = await opened();
    const replaced = Array.from({ length: 60 }, (_, index) => index + 1);
    await store(
      { id: idOf(100), content: 'elsewhere' },
      ...replaced.map(number => ({ id: idOf(number), content: `old ${number}`, tags: ['lesson'], importance: 1 })),
      ...Array.from({ length: 12 }, (_, index) => ({ content: `new ${index}`, tags: ['lesson'], importance: 0.1 })),
    );
    const associations = replaced.map(number => ({
      memory1_id: idOf(number),
      memory2_id: idOf(100),
      type: 'INVALIDATED_BY',
    }));
    expect((await call('POST /associate', { json: { associations } })).status).toBe(201);
    const [lessons] = await contents();
    expect(lessons).toHaveLength(10);
    expect(lessons?.every((content: string) => content.startsWith('new'))).toBe(true);
  });
});

test('startup recall: large metadata are shortened and marked', async () => {
  const { store, recalled } = await opened();
  await store({ content: 'large', tags: ['critical'], metadata: { small: 1, big: 'x'.repeat(20_000) } });
  const [lesson] = (await recalled()).critical_lessons;
  expect(lesson).toMatchObject({
    metadata: { small: 1 },
    metadata_truncated: true,
    metadata_bytes: expect.any(Number),
  });
});

test('startup recall: no access is recorded, and parameters are refused', async () => {
  const { call, engine, store, recalled } = await opened();
  await store({ id: idOf(1), content: 'long ago', tags: ['lesson'], last_accessed: '2020-01-01T00:00:00Z' });
  await recalled();
  expect((await call('GET /startup-recall')).body.lesson_count).toBe(1);
  expect((await call('GET /startup-recall?limit=1')).body).toMatchObject({ code: 400, field: 'limit' });
  await engine.idle();
  expect((await engine.get(idOf(1))).memory.last_accessed).toBe('2020-01-01T00:00:00.000Z');
});

test('startup recall: HEAD is answered without a body', async () => {
  const { app } = await opened();
  const response = await app.request('/startup-recall', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
});
