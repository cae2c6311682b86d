/** Tests the output of the logger in both formats: `text` for people, and `json` for programs. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../src/config.js';
import { MemoryError } from '../src/domain/errors.js';
import { createLogger, type LogFormat, type LogLevel } from '../src/log.js';
import { outsideRequests, withRequest } from '../src/request-context.js';

const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  vi.spyOn(process.stderr, 'write').mockImplementation(chunk => printed.push(String(chunk)) > 0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Returns the output for one entry. */
function written(format: LogFormat, message: string, details?: unknown): string {
  createLogger('debug', format).warn(message, details);
  return printed.splice(0).join('');
}

function fields(message: string, details?: unknown): Record<string, unknown> {
  const line = written('json', message, details);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  return JSON.parse(line);
}

/** A circular object, which cannot be converted to JSON. */
function circular(): object {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

describe('log format text', () => {
  it('prints one line per entry', () => {
    expect(written('text', 'a\nb')).toBe('engraph warn: a b\n');
    expect(written('text', 'a', 'why\nnot')).toBe('engraph warn: a why not\n');
    expect(written('text', 'a', { b: 1 })).toBe('engraph warn: a {"b":1}\n');
  });

  it('names the request during which an entry is written', () => {
    expect(withRequest({ id: 'r-1' }, () => written('text', 'a', { b: 1 }))).toBe(
      'engraph warn: a (request r-1) {"b":1}\n',
    );
  });
});

describe('log format json', () => {
  it('prints one object with time, level and message', () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00.000Z') });
    expect(written('json', 'hello')).toBe('{"time":"2026-03-01T12:00:00.000Z","level":"warn","message":"hello"}\n');
  });

  it('names the request if there is one', async () => {
    expect(fields('a')).not.toHaveProperty('request_id');
    await withRequest({ id: 'r-1' }, async () => {
      await Promise.resolve();
      expect(fields('a').request_id).toBe('r-1');
      outsideRequests(() => expect(fields('a')).not.toHaveProperty('request_id'));
    });
  });

  it('prints the standard fields of an error and of its causes, and omits fields that a client library added', () => {
    const cause = Object.assign(new Error('refused\nat the door'), {
      code: 'ECONNREFUSED',
      headers: { key: 'secret' },
    });
    const { error } = fields('a', new MemoryError('unavailable', 'away', { cause }));
    expect(error).toMatchObject({
      name: 'MemoryError',
      message: 'away',
      code: 'unavailable',
      stack: expect.stringContaining('log.test'),
      cause: { name: 'Error', message: 'refused\nat the door', code: 'ECONNREFUSED' },
    });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('copies the fields of an object, except for its time, level and message', () => {
    const entry = fields('a', { status: 200, level: 'error', time: 'never', message: 'forged' });
    expect(entry).toMatchObject({ status: 200, level: 'warn', message: 'a', time: expect.stringMatching(/^\d{4}-/) });
  });

  it.each([
    ['a sentence', 'why not', 'why not'],
    ['a list', [1, 2], [1, 2]],
    ['null', null, null],
  ])('prints %s as details', (_, details, expected) => expect(fields('a', details).details).toEqual(expected));

  it('prints one line, whatever the message contains, and escapes invisible characters', () => {
    const ends = 'a\n\r\u2028\u2029\u0085b\u202e';
    const entry = fields(ends, new Error(ends));
    expect(JSON.stringify(entry)).not.toMatch(/[\u2028\u2029\u0085\u202e]/);
    expect(entry.message).toContain('\\u{202E}');
  });
});

describe.each(['text', 'json'] as const)('log format %s', format => {
  it.each([
    ['a circular object', circular()],
    ['a large integer', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
  ])('prints %s as details without failing', (_, thrown) => {
    expect(written(format, 'a', thrown)).toContain('[object ');
  });

  it('cuts an endless chain of causes', () => {
    const error = new Error('a');
    error.cause = error;
    expect(written(format, 'a', error).length).toBeLessThan(20_000);
  });

  it.each([
    ['debug', 4],
    ['warn', 2],
    ['silent', 0],
  ] as [LogLevel, number][])('with log level %s prints %i of the four levels', (level, count) => {
    const log = createLogger(level, format);
    for (const print of [log.debug, log.info, log.warn, log.error]) print('a');
    expect(printed).toHaveLength(count);
  });
});

it('LOG_FORMAT sets the log format, and an unknown format is rejected', () => {
  expect(loadConfig({}).logFormat).toBe('text');
  expect(loadConfig({ LOG_FORMAT: 'JSON' }).logFormat).toBe('json');
  expect(() => loadConfig({ LOG_FORMAT: 'xml' })).toThrow("LOG_FORMAT must be one of text, json, but is 'xml'");
});
