/** Whether a text seems to hold a secret, by the rules of secretlint. Its core keeps something of every text it checks, so only its rules are used. */

/** Longer texts do not come through tools, unless the limit is raised. */
const CHECKED_MAX_LENGTH = 10_000;

/** What of a preset of secretlint is used here. */
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

/** Only the name of the message is taken: its text would quote the secret. */
interface Finding {
  message: { messageId: string };
}

let rules: Promise<readonly Rule[]> | undefined;

/**
 * Kinds of credentials that a text seems to hold, such as "GITHUB TOKEN". Never rejects: where a rule fails, it finds
 * nothing. Takes time in proportion to the text, a few tenths of a millisecond.
 */
export async function credentialsIn(text: string): Promise<string[]> {
  const kinds = new Set<string>();
  const content = text.slice(0, CHECKED_MAX_LENGTH);
  // Rules that read files get no name of one.
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
      // A warning that is missing must not keep a memory from being stored.
    }
  }
  return [...kinds].map(inWords);
}

/** They take some tens of milliseconds to load, which only those who store should wait for. */
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
  // The others let a comment in the text say that its secrets are none.
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

/** `PostgreSQLConnection` is a PostgreSQL connection. */
function inWords(messageId: string): string {
  return messageId.split(PARTS_OF_NAME).join(' ');
}

export function credentialWarning(kinds: readonly string[]): string {
  return (
    `The content seems to hold a credential (${kinds.join(', ')}). Everybody who recalls this memory can read it: ` +
    'remove the secret with update_memory, or delete the memory.'
  );
}
