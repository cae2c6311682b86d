/** Derives ids from content: the same content always gives the same id. */
import { createHash } from 'node:crypto';

/** Returns 40 hexadecimal digits. */
export function derivedDigest(parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\n')).digest('hex');
}

/** Returns an id in the form of a version 5 UUID. */
export function derivedUuid(parts: readonly string[]): string {
  const digits = derivedDigest(parts);
  const variant = ((Number.parseInt(digits.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `5${digits.slice(13, 16)}`,
    `${variant}${digits.slice(18, 20)}`,
  ];
  return [...groups, digits.slice(20, 32)].join('-');
}
