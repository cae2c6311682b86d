/** Tests which texts are removed as secrets, and which stay. */
import { expect, test, vi } from 'vitest';

// Other tests in the same process have secrets of their own.
vi.resetModules();
const { keepSecret, withoutSecrets } = await import('../../src/domain/secrets.js');

const KEY = 'sk-proj-9f8e7d6c5b4a39281706';
keepSecret(KEY);
keepSecret('hunter2');
keepSecret('key');
keepSecret('Pässwörter-für-den-Graphen');

test.each([
  ['the key', `Bad key: ${KEY}.`, 'Bad key: [secret].'],
  ['the key twice, without a gap', `${KEY}${KEY}`, '[secret]'],
  ['the beginning of the key', `key ${KEY.slice(0, 20)}…`, 'key [secret]…'],
  ['the end of the key', `key …${KEY.slice(-14)}`, 'key …[secret]'],
  ['a key that is masked in the middle', 'sk-pro***1706', 'sk-pro***1706'],
  ['a short password', 'password hunter2!', 'password [secret]!'],
  ['letters outside ASCII', 'Pässwörter-für-den-Graphen', '[secret]'],
  ['letters outside ASCII, encoded', encodeURIComponent('Pässwörter-für-den-Graphen'), '[secret]'],
  ['hexadecimal', `0x${Buffer.from(KEY).toString('hex')}`, '0x[secret]'],
  ['a user and a password in an address', 'see https://user:pass@host/path', 'see https://[secret]@host/path'],
  ['a user in the address of FalkorDB', 'falkor://:p%40ss@host:6379', 'falkor://[secret]@host:6379'],
])('removes %s', (_, text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

test.each([0, 1, 2, 3, 4])('removes the key in Basic authentication after a name of %d letters', length => {
  const encoded = Buffer.from(`${'a'.repeat(length)}:${KEY}`).toString('base64');
  const shown = withoutSecrets(`Basic ${encoded}`);
  expect(shown).toContain('[secret]');
  expect(shown.length).toBeLessThan('Basic [secret]'.length + 12);
});

test.each([
  'a text with the word key, which is too short for a secret',
  'mail@example.com and https://example.com/a@b and https://example.com/?q=a@b',
  'sk-proj-1',
  '',
])('leaves other texts alone: %s', text => {
  expect(withoutSecrets(text)).toBe(text);
});
