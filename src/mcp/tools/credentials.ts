/**
 * Detects credentials in a text with the rules of secretlint. The core of secretlint retains data about every text it
 * checks, so only the rules are used.
 */

/** Number of characters that are checked. Tools refuse longer texts, unless MEMORY_CONTENT_HARD_LIMIT is raised. */
const CHECKED_MAX_LENGTH = 10_000;

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
}

let rules: Promise<readonly Rule[]> | undefined;

/**
 * Returns the kinds of credentials that a text seems to contain, such as "GITHUB TOKEN". Never rejects, because a
 * failing rule is skipped. Takes a few tenths of a millisecond. The time is proportional to the length of the text.
 */
export async function credentialsIn(text: string): Promise<string[]> {
  const kinds = new Set<string>();
  const content = text.slice(0, CHECKED_MAX_LENGTH);
  // The rules expect a file, so the text is passed as a file without an extension.
  const source = { content, contentType: 'text', ext: '', hasBOM: false };
  for (const rule of await loadedRules()) {
    try {
      await rule
        .create(
          contextOf(kind => kinds.add(kind)),
          {},
        )
        .file?.(source);
    } catch {
      // A failing rule must not prevent a memory from being stored.
    }
  }
  return [...kinds].map(inWords);
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

function contextOf(onKind: (kind: string) => void): RuleContext {
  return {
    sharedOptions: {},
    createTranslator: () => messageId => ({ messageId }),
    report: ({ message }) => onKind(message.messageId),
    ignore: () => {},
  };
}

const PARTS_OF_NAME = /(?<=\p{Ll})(?=\p{Lu}\p{Ll})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|_/u;

/** Splits a camel-case name: `PostgreSQLConnection` becomes "PostgreSQL Connection". */
function inWords(messageId: string): string {
  return messageId.split(PARTS_OF_NAME).join(' ');
}

export function credentialWarning(kinds: readonly string[]): string {
  return (
    `The content seems to contain a credential (${kinds.join(', ')}). Everybody who recalls this memory can read ` +
    'it: remove the secret with update_memory, or delete the memory.'
  );
}
