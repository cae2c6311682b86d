/**
 * Converts failures of a provider to errors for users. An error names the provider, the model, the problem and the
 * remedy.
 */
import { MemoryError, messageOf } from '../domain/errors.js';
import type { FailureKind, ProviderFailure } from './provider-failure.js';

/** The names that messages use for a provider and its settings. */
export interface ProviderWords {
  name: string;
  model: string;
  keyVariable?: string;
  modelVariable: string;
  addressVariable: string;
  /** What the user can do if the provider does not know the model. */
  missingRemedy?: string;
}

const QUOTE_MAX_CHARACTERS = 200;

/**
 * Returns the error of a failed call.
 *
 * @param isAboutTexts true if the texts are the cause, because the provider can still embed other texts
 */
export function providerError(failure: ProviderFailure, words: ProviderWords, isAboutTexts = false): MemoryError {
  const problem = problemOf(failure, words);
  const message = isAboutTexts
    ? `${problem}, although it embeds other texts`
    : `${problem}: ${remedyOf(failure, words)}`;
  const code = isAboutTexts ? 'invalid' : 'unavailable';
  return new MemoryError(code, message + quote(failure), { cause: new PublicSummary(message) });
}

/** Returns the error for a provider setting that cannot work. Such a setting is found at startup. */
export function settingError(failure: ProviderFailure, words: ProviderWords): MemoryError {
  return new MemoryError('invalid', `${problemOf(failure, words)}: ${remedyOf(failure, words)}`);
}

/** Contains an error message without the server's own message. A server's message may repeat the request. */
class PublicSummary extends Error {}

/** The part of an embedding error that any user may read. */
export function publicSummary(error: unknown): string {
  if (!(error instanceof MemoryError)) return 'embedding fails: see the log';
  return messageOf(error.cause instanceof PublicSummary ? error.cause : error);
}

function problemOf({ problem }: ProviderFailure, words: ProviderWords): string {
  return `${words.name} (${words.model}) ${problem}`;
}

function quote({ serverMessage }: ProviderFailure): string {
  if (serverMessage === '') return '';
  const isLong = serverMessage.length > QUOTE_MAX_CHARACTERS;
  return `. The server says: "${isLong ? `${serverMessage.slice(0, QUOTE_MAX_CHARACTERS)}…` : serverMessage}"`;
}

function remedyOf({ kind, remedy }: ProviderFailure, words: ProviderWords): string {
  const { modelVariable, addressVariable, keyVariable = 'the key' } = words;
  const byKind: Record<FailureKind, string> = {
    unreachable: `check the network and ${addressVariable}; Engraph tries again`,
    broken: 'Engraph tries again',
    stumbled: 'Engraph tries again',
    limited: 'Engraph tries again; if the problem lasts, check the limits of the account',
    exhausted: `check the account that ${keyVariable} belongs to`,
    denied: `check ${keyVariable}`,
    missing: words.missingRemedy ?? `check ${modelVariable} and ${addressVariable}`,
    unfit: `choose another ${modelVariable}`,
    closed: 'Engraph tries again after the next start',
    slow: 'Engraph tries again; for a slow server raise EMBEDDING_TIMEOUT_SECONDS',
    refused: `check ${modelVariable}`,
    'too long': `check ${modelVariable}`,
    misread: `check that ${addressVariable} is the address of this provider's API`,
  };
  return remedy ?? byKind[kind];
}
