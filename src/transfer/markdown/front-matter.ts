/** Reads and writes notes: Markdown text after front matter in YAML. */
import { parseDocument, type Scalar, stringify, visit } from 'yaml';
import { MemoryError } from '../../domain/errors.js';
import { isKept } from '../../domain/exact-numbers.js';
import { isPlainObject } from '../../domain/json.js';

const FENCE = '---';
/** Maximum length of front matter, which may contain metadata of 64 KiB and many relations. */
const FRONT_MATTER_MAX_CHARACTERS = 2_000_000;

export interface Note {
  /** Empty if the file has no front matter. */
  fields: Record<string, unknown>;
  body: string;
}

export function writeNote({ fields, body }: Note): string {
  return `${FENCE}\n${stringify(fields, { lineWidth: 0 })}${FENCE}\n\n${body}\n`;
}

/** @throws MemoryError `invalid` for front matter that is not closed, is too long, or is not valid YAML with fields */
export function readNote(text: string): Note {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (!opening) return { fields: {}, body: text.replace(/^\uFEFF/, '').trim() };
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (!closing) throw new MemoryError('invalid', 'The front matter has no closing line ---');
  const front = rest.slice(0, closing.index);
  if (front.length > FRONT_MATTER_MAX_CHARACTERS) throw new MemoryError('invalid', 'The front matter is too long');
  const body = rest.slice(closing.index + closing[0].length).replace(/^\r?\n/, '');
  return { fields: readYaml(front), body: body.replace(/\r?\n$/, '') };
}

/** Refuses YAML aliases, because a few lines with aliases can expand to any number of values. */
function readYaml(text: string): Record<string, unknown> {
  const document = parseDocument(text, { schema: 'core', merge: false, stringKeys: true });
  const [problem] = document.errors;
  if (problem) throw new MemoryError('invalid', `The front matter is not valid YAML: ${firstLine(problem.message)}`);
  visit(document, { Scalar: (_key, scalar) => quoteChanged(scalar) });
  const fields: unknown = plain(document);
  if (fields === null) return {};
  if (!isPlainObject(fields)) throw new MemoryError('invalid', 'The front matter must consist of fields and values');
  return fields;
}

/** Turns a number that JavaScript changes into a text. */
function quoteChanged(scalar: Scalar): void {
  const { value, source } = scalar;
  if (typeof value === 'number' && source !== undefined && DECIMAL.test(source) && !isKept(source))
    scalar.value = source;
}

const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

function plain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw new MemoryError('invalid', 'The front matter must not contain YAML aliases', { cause });
  }
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? message).replace(/:$/, '');
}
