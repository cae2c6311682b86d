/**
 * Lets a program and a service show each other that they know the same API token, without sending it. Any program may
 * listen on the port of a service that does not run, or pass on what it receives. So the proof names the port, and the
 * code that opens the page is computed by both sides and never sent between them.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const PROOF_HEADER = 'x-engraph-proof';

/** A proof consists of a random number, the port that was addressed, and their digest under the token. */
const PROOF = /^([\w-]{16,64})\.(\d{1,5}|any)\.([\w-]{43})$/;
const NONCE_BYTES = 24;

/** The service's part: a random number of its own, and the proof that it knows the token. */
export interface ProofAnswer {
  nonce: string;
  proof: string;
}

/** @param port undefined if the user named the address, as a proxy before the service may have another port */
export function proofOf(token: string, port: number | undefined): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const place = port ?? 'any';
  return `${nonce}.${place}.${digest(token, 'program', `${nonce}.${place}`)}`;
}

/** Whether a proof was made with the token, for a service on this port. */
export function isKnown(proof: string, token: string, port: number | undefined): boolean {
  const [, nonce, place, given = ''] = PROOF.exec(proof) ?? [];
  if (place === undefined || (place !== 'any' && place !== String(port))) return false;
  return isSame(digest(token, 'program', `${nonce}.${place}`), given);
}

/** Answers a proof that is known. The code is for the service only. */
export function answerTo(proof: string, token: string): ProofAnswer & { code: string } {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return { nonce, proof: digest(token, 'service', `${proof} ${nonce}`), code: codeOf(token, proof, nonce) };
}

/** Returns the code if the answer to the proof shows that the service knows the token. */
export function codeFrom({ nonce, proof }: ProofAnswer, token: string, own: string): string | undefined {
  return isSame(digest(token, 'service', `${own} ${nonce}`), proof) ? codeOf(token, own, nonce) : undefined;
}

function codeOf(token: string, proof: string, nonce: string): string {
  return digest(token, 'code', `${proof} ${nonce}`);
}

/** @param purpose prevents that one kind of digest is used as another */
function digest(token: string, purpose: 'program' | 'service' | 'code', text: string): string {
  return createHmac('sha256', token).update(`engraph ${purpose} ${text}`).digest('base64url');
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
