/**
 * Removes the secrets of the settings from texts that are shown: log, errors, reports and output of commands. A server
 * may repeat a key in any answer, so the places that show texts remove it, and not the places that receive them.
 */

const HIDDEN_SECRET = '[secret]';

/** Shorter secrets are also ordinary words or numbers. */
const SECRET_MIN_LENGTH = 6;
/** A text may contain only a part of a secret, for example if it was cut. A part of this length is removed too. */
const PART_LENGTH = 12;
/** User name and password in an address. */
const USER_IN_ADDRESS = /:\/\/[^\s/?#@"'<>]*@/g;

/** The parts of all secrets in every form. A shorter form is its only part. */
const PARTS = new Set<string>();
const LENGTHS = new Set<number>();

/** From now on, `withoutSecrets` removes this value, for the lifetime of the process. */
export function keepSecret(secret: string): void {
  if (secret.length < SECRET_MIN_LENGTH) return;
  for (const form of formsOf(secret)) {
    const length = Math.min(form.length, PART_LENGTH);
    LENGTHS.add(length);
    for (let at = 0; at + length <= form.length; at++) PARTS.add(form.slice(at, at + length));
  }
}

/** The secret as it is, and as it stands in JSON, in addresses, in Basic authentication and in dumps of bytes. */
function formsOf(secret: string): Set<string> {
  const bytes = Buffer.from(secret);
  return new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(bytes.toString()),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap(offset => {
      const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
      // Characters that also depend on the bytes before or after the secret are left out.
      const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6)];
      return [shifted.toString('base64').slice(start, end), shifted.toString('base64url').slice(start, end)];
    }),
  ]);
}

/** Returns the text without secrets, and without the users and passwords of addresses. */
export function withoutSecrets(text: string): string {
  const plain = text.includes('://') ? text.replace(USER_IN_ADDRESS, `://${HIDDEN_SECRET}@`) : text;
  return PARTS.size === 0 ? plain : withoutParts(plain);
}

function withoutParts(text: string): string {
  let shown = '';
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOfSecret(text, at);
    if (end === at) {
      at += 1;
      continue;
    }
    shown += text.slice(from, at) + HIDDEN_SECRET;
    from = end;
    at = end;
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** Where the secret that begins at a place ends: the last place that a part beginning in the secret reaches. */
function endOfSecret(text: string, start: number): number {
  let end = start;
  for (let at = start; at <= end && at < text.length; at++) {
    for (const length of LENGTHS) {
      if (at + length > end && PARTS.has(text.slice(at, at + length))) end = at + length;
    }
  }
  return end;
}
