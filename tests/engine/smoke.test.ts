import { test, expect } from 'vitest';
import { openTestEngine } from '../support/test-engine.js';
test('smoke', async () => {
  const t = await openTestEngine({VECTOR_SIZE:'256'});
  const a = await t.engine.store({ content: 'We decided to use PostgreSQL for the billing service', tags: ['project:billing', 'db'], importance: 0.9, metadata: {a:1} });
  const b = await t.engine.store({ content: 'Alice prefers tabs over spaces', tags: ['people'], importance: 0.5, metadata: {} });
  console.log(a, await t.engine.health());
  const r0 = await t.engine.recall({ query: 'which database for billing?', limit: 5, tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' });
  console.log(JSON.stringify(r0, null, 1));
  await t.engine.idle();
  console.log(await t.engine.health(), await t.engine.workStatus());
  const r = await t.engine.recall({ query: 'which database for billing?', limit: 5, tags: ['project'], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' });
  console.log(JSON.stringify(r, null, 1));
  const e = await t.reopen();
  console.log(await e.get(b.memory_id), await e.listByTag({tags:['DB'],limit:5,offset:0}));
  console.log(await e.update(b.memory_id,{content:'Bob prefers tabs', tags:['x/y']}), await e.removeByTag(['db']), await e.health());
  await t.close();
});
