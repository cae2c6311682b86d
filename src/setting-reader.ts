/** Reads single settings from the environment as values, with bounds and clear errors. */

import { keepSecret } from './domain/secrets.js';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An invalid setting. The message names the setting and the expected value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['false', '0', 'no', 'off']);

export type SettingReader = ReturnType<typeof settingReader>;

/** Returns functions that read one setting each, and throw a ConfigError if it is invalid. */
export function settingReader(env: Environment) {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  /** A value that no log and no message may contain. */
  const secret = (name: string): string | undefined => {
    const value = text(name);
    if (value !== undefined) keepSecret(value);
    return value;
  };
  const number = (name: string, fallback: number, { min = 0, max = Number.MAX_VALUE } = {}): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    const parsed = Number(value);
    if (!Number.isFinite(parsed) || parsed < min || parsed > max) {
      const range = max === Number.MAX_VALUE ? `${min} or more` : `${min} to ${max}`;
      throw new ConfigError(`${name} must be a number of ${range}, but is '${value}'`);
    }
    return parsed;
  };
  /** Removes trailing slashes. */
  const url = (name: string): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !/^https?:$/.test(parsed.protocol))
      throw new ConfigError(`${name} must be an address such as https://example.com`);
    if (parsed.username !== '' || parsed.password !== '')
      throw new ConfigError(
        `${name} must not contain a user name or password, because the address is shown in messages`,
      );
    let end = value.length;
    while (value.endsWith('/', end)) end -= 1;
    return value.slice(0, end);
  };
  const count = (
    name: string,
    bounds: { fallback: number; min?: number; max?: number; flag?: string | undefined },
  ): number => {
    const { min = 1, max = Number.MAX_SAFE_INTEGER } = bounds;
    const value = bounds.flag ?? text(name);
    if (value === undefined) return bounds.fallback;
    const parsed = Number(value);
    if (!Number.isInteger(parsed) || parsed < min || parsed > max) {
      const label = bounds.flag === undefined ? name : `--${name.toLowerCase()}`;
      const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
      throw new ConfigError(`${label} must be a whole number of ${range}, but is '${value}'`);
    }
    return parsed;
  };
  const optionalCount = (name: string, bounds = { min: 1, max: 1000 }): number | undefined =>
    text(name) === undefined ? undefined : count(name, { fallback: 1, ...bounds });
  const choice = <Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice => {
    const value = text(name)?.toLowerCase();
    if (value === undefined) return fallback;
    const found = choices.find(candidate => candidate === value);
    if (found === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}, but is '${value}'`);
    return found;
  };
  const flag = (name: string, fallback: boolean): boolean =>
    TRUE_WORDS.has(choice(name, [...TRUE_WORDS, ...FALSE_WORDS], fallback ? 'true' : 'false'));
  const list = (name: string, fallback = ''): string[] =>
    (text(name) ?? fallback)
      .split(',')
      .map(item => item.trim())
      .filter(Boolean);
  /** By default the zone of the machine, or UTC if the machine has no valid one. */
  const timeZone = (name: string): string => {
    const value = text(name);
    const zone = zoneNamed(value ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
    if (value !== undefined && zone === undefined)
      throw new ConfigError(`${name} must be the IANA name of a time zone, such as Europe/Berlin, but is '${value}'`);
    return zone ?? 'UTC';
  };
  return { text, secret, number, url, count, optionalCount, choice, flag, list, timeZone };
}

/** The usual spelling of the name of a zone, or undefined if the name is unknown. */
function zoneNamed(name: string | undefined): string | undefined {
  try {
    return name && new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
