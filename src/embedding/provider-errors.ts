/** Failures of a provider as errors for people: which provider and model, what is wrong, what to do, and never a key. */
import { MemoryError } from '../domain/errors.js';
import type { FailureKind, ProviderFailure } from './provider-failure.js';

/** Names a provider for people, and the variables that set it up. */
export interface ProviderWords {
  name: string;
  model: string;
  keyVariable?: string;
  modelVariable: string;
  addressVariable: string;
  /** What to do when it does not know the model. */
  missingRemedy?: string;
  /** To be kept out of every message. */
  apiKey?: string | undefined;
}

const QUOTE_MAX_CHARACTERS = 200;

/**
 * The error of a failed call.
 *
 * @param isAboutTexts whether the provider embeds other texts at this moment
 */
export function providerError(failure: ProviderFailure, words: ProviderWords, isAboutTexts = false): MemoryError {
  const problem = problemOf(failure, words);
  const message = isAboutTexts ? `${problem}, though it embeds other texts` : `${problem}: ${remedyOf(failure, words)}`;
  const code = isAboutTexts ? 'invalid' : 'unavailable';
  return new MemoryError(code, message + quote(failure, words), { cause: new PublicSummary(message) });
}

/** A setting of a provider that cannot work, found at the start. */
export function settingError(failure: ProviderFailure, words: ProviderWords): MemoryError {
  return new MemoryError('invalid', `${problemOf(failure, words)}: ${remedyOf(failure, words)}`);
}

/** An error without the words of the server, which may repeat what was sent to it. */
class PublicSummary extends Error {}

/** What of an error of embedding anybody may read. */
export function publicSummary(error: unknown): string {
  if (!(error instanceof MemoryError)) return 'embedding fails: see the log';
  return error.cause instanceof PublicSummary ? error.cause.message : error.message;
}

/** A client may quote a key that makes no header. */
function problemOf({ problem }: ProviderFailure, words: ProviderWords): string {
  return `${words.name} (${words.model}) ${withoutKey(problem, words)}`;
}

function quote({ said }: ProviderFailure, words: ProviderWords): string {
  const safe = withoutKey(said, words);
  if (safe === '') return '';
  const isLong = safe.length > QUOTE_MAX_CHARACTERS;
  return `. It says: "${isLong ? `${safe.slice(0, QUOTE_MAX_CHARACTERS)}…` : safe}"`;
}

function withoutKey(text: string, { apiKey }: ProviderWords): string {
  return apiKey ? text.replaceAll(apiKey, '[key]') : text;
}

function remedyOf({ kind, remedy }: ProviderFailure, words: ProviderWords): string {
  const { modelVariable, addressVariable, keyVariable = 'the key' } = words;
  const byKind: Record<FailureKind, string> = {
    unreachable: `check the network and ${addressVariable}; it is tried again`,
    broken: 'it is tried again',
    stumbled: 'it is tried again',
    limited: 'it is tried again; if this lasts, check the limits of the account',
    exhausted: `check the account that ${keyVariable} belongs to`,
    denied: `check ${keyVariable}`,
    missing: words.missingRemedy ?? `check ${modelVariable} and ${addressVariable}`,
    unfit: `choose another ${modelVariable}`,
    closed: 'it is tried again after the next start',
    slow: 'it is tried again; for a slow server raise EMBEDDING_TIMEOUT_SECONDS',
    refused: `check ${modelVariable}`,
    'too long': `check ${modelVariable}`,
    misread: `check that ${addressVariable} is the address of such a server`,
  };
  return remedy ?? byKind[kind];
}
