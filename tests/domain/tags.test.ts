/** Tags, their hierarchy and their keys. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeTags, tagDigest, tagKey, tagKeys, tagLevels, tagPrefixes } from '../../src/domain/tags.js';

const anyTag = fc.string({
  unit: fc.constantFrom('a', 'B', 'é', 'İ', ':', '/', ' ', ',', '日', '\n', 'e', '\u0301', '\u030c', 'J'),
  maxLength: 12,
});

describe('normalizeTags', () => {
  test.each<[string, string | string[], string[]]>([
    ['splits a string at commas', 'a, b ,c', ['a', 'b', 'c']],
    ['does not split array items', ['a, b', 'c'], ['a, b', 'c']],
    ['trims tags and drops empty tags', ['  a ', '', ' \n '], ['a']],
    ['keeps the first spelling of each tag', ['Work', 'work', 'WORK', 'home'], ['Work', 'home']],
    [
      'keeps delimiters as they were written',
      ['Project/Billing', 'project:billing'],
      ['Project/Billing', 'project:billing'],
    ],
    [
      'composes accents, and keeps one of two ways to write a tag',
      ['cafe\u0301', 'CAFÉ', '\u01f0'],
      ['café', '\u01f0'],
    ],
    ['keeps spaces inside a tag', 'two words', ['two words']],
    ['returns no tags for a string of commas and spaces', ' , ,', []],
  ])('%s', (_, input, expected) => {
    expect(normalizeTags(input)).toEqual(expected);
  });

  test('changes nothing when it is applied to its own result', () => {
    fc.assert(
      fc.property(fc.array(anyTag), tags => {
        const once = normalizeTags(tags);
        expect(normalizeTags(once)).toEqual(once);
        expect(new Set(once.map(tag => tag.toLowerCase())).size).toBe(once.length);
      }),
    );
  });
});

describe('tagPrefixes', () => {
  test.each<[string[], string[]]>([
    [['x:y:z'], ['x', 'x:y', 'x:y:z']],
    [['X/Y'], ['x', 'x:y']],
    [
      ['x:y', 'x/z'],
      ['x', 'x:y', 'x:z'],
    ],
    [['::a::b//'], ['a', 'a:b']],
    [['a : b'], ['a', 'a:b']],
    [[':'], [':']],
    [[], []],
  ])('of %j are %j', (tags, expected) => {
    expect(tagPrefixes(tags)).toEqual(expected);
  });

  test('include the key of every tag, and every prefix is a key', () => {
    fc.assert(
      fc.property(fc.array(anyTag), input => {
        const tags = normalizeTags(input);
        const prefixes = tagPrefixes(tags);
        expect(prefixes).toEqual(expect.arrayContaining(tagKeys(tags)));
        expect(new Set(prefixes).size).toBe(prefixes.length);
        expect(prefixes.map(tagKey)).toEqual(prefixes);
      }),
    );
  });

  test('of a tag are as many as its levels, and at least one', () => {
    expect(tagLevels('a:b/c')).toBe(3);
    fc.assert(
      fc.property(anyTag, tag => {
        const [normalized] = normalizeTags([tag]);
        fc.pre(normalized !== undefined);
        expect(tagPrefixes([normalized])).toHaveLength(Math.max(1, tagLevels(normalized)));
      }),
    );
  });
});

describe('tag keys', () => {
  test('do not depend on case or delimiter', () => {
    expect(tagKeys(['Team/Core', 'team:core', 'TEAM: core', 'team'])).toEqual(['team:core', 'team']);
  });

  test('do not depend on how an accent is written', () => {
    expect(tagKeys(['cafe\u0301/Cre\u0300me', 'CAFÉ:crème', 'J\u030c', '\u01f0'])).toEqual(['café:crème', '\u01f0']);
    expect(tagPrefixes(['cafe\u0301:x'])).toEqual(['café', 'café:x']);
    fc.assert(
      fc.property(anyTag, tag => {
        expect(tagKey(tag.normalize('NFD'))).toBe(tagKey(tag));
      }),
    );
  });

  test('have digests that need no escaping and differ when the keys differ', () => {
    fc.assert(
      fc.property(anyTag, anyTag, (one, other) => {
        expect(tagDigest(one)).toMatch(/^[0-9a-f]{16}$/);
        expect(tagDigest(one) === tagDigest(other)).toBe(one === other);
      }),
    );
  });
});
