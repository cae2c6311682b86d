/** Records that another program wrote are read unchanged, even if their texts contain the separators of packed records. */
import { expect, test } from 'vitest';
import { describeFalkor } from '../support/falkordb-server.js';
import { idOf } from '../support/records.js';

describeFalkor('a record of another program', { isForgetful: true }, suite => {
  test.each([
    ['a separator in the content', { content: 'before \u0001 after', tags: ['one', 'two'] }],
    ['a separator in a tag', { content: 'text', tags: ['before \u0003 after', 'two'] }],
    ['a separator of texts in a tag', { content: 'text', tags: ['before \u0001 after'] }],
    ['a separator at the end of a summary', { content: 'text', tags: ['one'], summary: 'end\u0001' }],
    ['an empty summary', { content: 'text', tags: ['one'], summary: '' }],
    ['an empty tag', { content: 'text', tags: [''] }],
    ['two empty tags', { content: 'text', tags: ['', ''] }],
    ['no tags', { content: 'text', tags: [] }],
    ['no property for its tags', { content: 'text' }],
  ])('with %s is read unchanged', async (_, properties: Record<string, unknown>) => {
    const settings = suite.settings();
    const store = suite.open(settings);
    await store.ping();
    const values = Object.entries(properties).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    await suite.server.query(
      settings.graph,
      // The server reads no escapes of this form, so the characters are inserted themselves.
      `CREATE (:Memory {id: '${idOf(1)}', ${values.join(', ')}})`
        .replaceAll('\\u0001', '\u0001')
        .replaceAll('\\u0003', '\u0003'),
    );
    for (let read = 0; read < 2; read++) {
      const found = (await store.getMemories([idOf(1)])).get(idOf(1));
      expect(found).toMatchObject({ tags: [], ...properties });
      expect(found?.summary).toBe(properties.summary);
    }
  });
});
