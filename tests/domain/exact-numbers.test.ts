/** Numbers that JavaScript changes are found, whatever surrounds them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedNumber, isKept, parseExactly, parseQuoting } from '../../src/domain/json.js';

test.each(
  '1.0 1e2 -0 0.1 1E+2 0e999 -1.5e-7 5e-324 1.7976931348623157e308 1e23 1e20 9007199254740992 0.30000000000000004'.split(
    ' ',
  ),
)('%s is kept', source => expect(isKept(source)).toBe(true));

test.each(
  '1234567890123456789 9007199254740993 1e400 -1e400 1e-400 0.10000000000000001 3.14159265358979323846 4.9e-324'.split(
    ' ',
  ),
)('%s is changed', source => expect(isKept(source)).toBe(false));

const TEXT =
  '{"a":[1234567890123456789,{"b":1e400,"c":"\\" 1e400 ","d":1e20,"__proto__":1e400}],"\\\\":9007199254740993}';

test('the parsed value is that of JSON.parse, and the changed numbers are known', () => {
  const value = parseExactly(TEXT) as { a: [number, { b: number; d: number }] };
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(TEXT)));
  expect(changedNumber(value.a, '0', { value: value.a[0] })).toBe('1234567890123456789');
  expect(changedNumber(value.a[1], 'b', { value: Infinity })).toBe('1e400');
  expect(changedNumber(value.a[1], '__proto__', { value: Infinity })).toBe('1e400');
  expect(changedNumber(value.a[1], 'd', { value: 1e20 })).toBeUndefined();
});

test('changed numbers become texts if quoting is asked for', () => {
  expect(JSON.stringify(parseQuoting(TEXT))).toBe(
    '{"a":["1234567890123456789",{"b":"1e400","c":"\\" 1e400 ","d":100000000000000000000,"__proto__":"1e400"}],' +
      '"\\\\":"9007199254740993"}',
  );
});

test('an integer counts as changed if it is not safe and nobody knows how it was written', () => {
  expect(changedNumber({}, 'a', { value: 1e20 })).toBe('100000000000000000000');
  expect(changedNumber({}, 'a', { value: Number.MAX_SAFE_INTEGER })).toBeUndefined();
  expect(changedNumber({}, 'a', { value: 1.5e-300 })).toBeUndefined();
  expect(changedNumber({}, 'a', { value: 1e20, isTrusted: true })).toBeUndefined();
  expect(changedNumber({}, 'a', { value: Infinity, isTrusted: true })).toBe('Infinity');
});

const number = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    fc.option(fc.bigInt({ min: 0n, max: 10n ** 20n })),
    fc.integer({ min: -400, max: 400 }),
  )
  .map(
    ([whole, fraction, exponent]) =>
      `${whole}${fraction === null ? '' : `.${fraction}`}${exponent > 0 ? `e${exponent}` : ''}`,
  );
const json = fc.letrec<{ value: string }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    number,
    fc.string().map(text => JSON.stringify(text)),
    fc.constantFrom('"1e400"', '"\\\\"', '"\\"1e400"', 'null', ' [ ] '),
    fc.array(tie('value')).map(items => `[${items.join(' , ')}]`),
    fc
      .array(fc.tuple(fc.string(), tie('value')))
      .map(entries => `{${entries.map(([key, value]) => `${JSON.stringify(key)} :${value}`).join()}}`),
  ),
})).value;

test('any JSON is parsed like JSON.parse does', () => {
  const isSame = fc.property(json, text => {
    expect(parseExactly(text)).toEqual(JSON.parse(text));
  });
  fc.assert(isSame, { numRuns: 500 });
});

test.each([
  ['invalid JSON', '{"a":1e400,}'],
  ['a number as a key', '{1e400:1}'],
])('%s is refused', (_, text) => expect(() => parseExactly(text)).toThrow(SyntaxError));

test('the work grows in proportion to the text', () => {
  const costOf = (count: number) => {
    const text = `[${Array.from({ length: count }, (_, index) => `12345678901234567${index % 9}9`)},"${'\\\\'.repeat(count)}"]`;
    const start = process.cpuUsage();
    parseExactly(text);
    return process.cpuUsage(start).user;
  };
  costOf(5_000);
  expect(costOf(40_000)).toBeLessThan(40 * Math.max(costOf(5_000), 5_000));
});
