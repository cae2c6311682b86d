/**
 * Detects credentials in a text or a record, with the rules of secretlint and those of `credential-rules`. The core of
 * secretlint retains data about every text it checks, so only the rules are used.
 */
import { findAssignments } from './credential-rules/assignments.js';
import { type FoundSecret, isTemplate, textOfMetadata, textOfTags } from './credential-rules/secret.js';
import { findSignIns, findTokens } from './credential-rules/tokens.js';
import { inSteps } from './event-loop.js';

/** Number of characters that are checked in one piece. */
const CHECKED_MAX_LENGTH = 10_000;
/**
 * Number of characters that two pieces of a longer text share, so that one piece contains all of a credential. Keys in
 * PEM form are the longest credentials.
 */
const OVERLAP = 4_000;

/** The part of a secretlint preset that is used here. */
interface Preset {
  create(context: { sharedOptions: object; registerRule(rule: Rule): void }, options: object): void;
}

interface Rule {
  meta: { type: 'scanner' | 'filter' };
  create(context: RuleContext, options: object): { file?(source: object): void | Promise<void> };
}

interface RuleContext {
  sharedOptions: object;
  createTranslator(): (kind: string) => Finding['message'];
  report(finding: Finding): void;
  ignore(): void;
}

/**
 * A finding of a rule. Only the name of the message is read, because the text of the message would quote the secret.
 */
interface Finding {
  message: { messageId: string };
  /**
   * Start and end of the text that the rule matched. The secret begins at the start or later. The end may lie within
   * the secret, because some rules report the length of another part of their match.
   */
  range: readonly [start: number, end: number];
}

/** A place where a text seems to contain a credential. */
export interface FoundCredential {
  /** Kind of the credential, such as "GITHUB TOKEN". */
  kind: string;
  /** Offset in UTF-16 code units. The secret begins at this offset or later. */
  start: number;
}

let rules: Promise<readonly Rule[]> | undefined;

/** The parts of a memory in which text is stored. Tags and metadata may have any form, for input not yet read. */
export interface CheckedRecord {
  content?: string | undefined;
  tags?: unknown;
  metadata?: unknown;
}

export interface CredentialsInField {
  field: keyof CheckedRecord;
  /** Kinds of credentials, such as "GITHUB TOKEN". Each kind occurs once. */
  kinds: string[];
}

/** The text of each field of a record. A key of the metadata stands before its value. */
export function textsOf({ content, tags, metadata }: CheckedRecord): Record<keyof CheckedRecord, string> {
  return { content: content ?? '', tags: textOfTags(tags), metadata: textOfMetadata(metadata) };
}

/** Returns the fields of a record that seem to contain credentials. Never rejects. */
export async function credentialsInRecord(record: CheckedRecord): Promise<CredentialsInField[]> {
  const found: CredentialsInField[] = [];
  for (const [field, text] of Object.entries(textsOf(record)) as [keyof CheckedRecord, string][]) {
    const kinds = await credentialsIn(text);
    if (kinds.length > 0) found.push({ field, kinds });
  }
  return found;
}

/**
 * Returns the kinds of credentials that a text seems to contain, such as "GITHUB TOKEN". Never rejects, because a
 * failing rule is skipped. Takes a few tenths of a millisecond for a thousand characters.
 */
export async function credentialsIn(text: string): Promise<string[]> {
  const found = await findCredentials(text);
  return [...new Set(found.map(({ kind }) => kind))];
}

/** Finds credentials in a whole text, in no particular order. Never rejects. */
export async function findCredentials(text: string): Promise<FoundCredential[]> {
  if (text.trim() === '') return [];
  if (text.length <= CHECKED_MAX_LENGTH) return findIn(text);
  const found: FoundCredential[] = [];
  for await (const from of inSteps(startsOfPieces(text.length))) {
    const inPiece = await findIn(text.slice(from, from + CHECKED_MAX_LENGTH));
    found.push(...inPiece.map(({ kind, start }) => ({ kind, start: from + start })));
  }
  return found;
}

function* startsOfPieces(length: number): Generator<number> {
  for (let from = 0; from < length; from += CHECKED_MAX_LENGTH - OVERLAP) yield from;
}

async function findIn(content: string): Promise<FoundCredential[]> {
  const found: FoundSecret[] = [];
  // The rules expect a file, so the text is passed as a file without an extension.
  const source = { content, contentType: 'text', ext: '', hasBOM: false };
  const context = contextOf(({ message, range: [start, end] }) => {
    if (!isTemplate(content.slice(start, end))) found.push({ kind: inWords(message.messageId), start, end });
  });
  for (const rule of await loadedRules()) {
    try {
      await rule.create(context, {}).file?.(source);
    } catch {
      // A failing rule must not prevent a memory from being stored.
    }
  }
  for (const find of [findTokens, findSignIns, findAssignments]) {
    // A secret is reported once, by the rule that knows most about it.
    found.push(...find(content).filter(secret => !found.some(known => overlap(known, secret))));
  }
  return found.map(({ kind, start }) => ({ kind, start }));
}

function overlap(one: FoundSecret, other: FoundSecret): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Loading the rules takes some tens of milliseconds, so they are loaded when the first text is checked. */
function loadedRules(): Promise<readonly Rule[]> {
  rules ??= import('@secretlint/secretlint-rule-preset-recommend').then(
    module => rulesOf((module as { creator: Preset }).creator),
    () => [],
  );
  return rules;
}

function rulesOf(preset: Preset): Rule[] {
  const found: Rule[] = [];
  preset.create({ sharedOptions: {}, registerRule: rule => void found.push(rule) }, {});
  // Filter rules are left out, because they let a comment in the text declare its secrets harmless.
  return found.filter(({ meta }) => meta.type === 'scanner');
}

function contextOf(report: (finding: Finding) => void): RuleContext {
  return {
    sharedOptions: {},
    createTranslator: () => messageId => ({ messageId }),
    report,
    ignore: () => {},
  };
}

const PARTS_OF_NAME = /(?<=\p{Ll})(?=\p{Lu}\p{Ll})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|_/u;

/** Splits a camel-case name: `PostgreSQLConnection` becomes "PostgreSQL Connection". */
function inWords(messageId: string): string {
  return messageId.split(PARTS_OF_NAME).join(' ');
}
