/** Splits a conversation into episodes. Each episode becomes a memory. */
import type { RelationType } from '../../domain/relation.js';
import type { SourceRecord } from './source.js';

export interface Turn {
  speaker: string;
  text: string;
  /** ISO 8601. */
  at?: string | undefined;
}

export interface Conversation {
  key: string;
  title: string | undefined;
  /** Time of turns without a time of their own, in ISO 8601. */
  startedAt: string | undefined;
  turns: Iterable<Turn>;
}

/** Length of an episode: long enough for a question with its answer, short enough for a single subject. */
const EPISODE_CHARACTERS = 3_000;
const BEFORE: RelationType = 'OCCURRED_BEFORE';

/** Yields the episodes. Each episode has an edge to the next episode. */
export function* episodesOf({ key, title, startedAt, turns }: Conversation): Generator<SourceRecord> {
  const parts = [...cut(turns)];
  for (const [index, { text, at }] of parts.entries()) {
    const isLast = index === parts.length - 1;
    yield {
      kind: 'episodes',
      key: `${key}#${index}`,
      content: title === undefined ? text : `${title}\n\n${text}`,
      timestamp: at ?? startedAt,
      tags: ['conversation'],
      metadata: { conversation: key, part: index + 1, parts: parts.length, ...(title !== undefined && { title }) },
      relations: isLast ? [] : [{ to: `${key}#${index + 1}`, type: BEFORE }],
    };
  }
}

function* cut(turns: Iterable<Turn>): Generator<{ text: string; at: string | undefined }> {
  let text = '';
  let at: string | undefined;
  for (const turn of turns) {
    for (const piece of piecesOf(turn.text)) {
      const said = `${turn.speaker}: ${piece}`;
      if (text !== '' && text.length + said.length > EPISODE_CHARACTERS) {
        yield { text, at };
        text = '';
        at = undefined;
      }
      text = text === '' ? said : `${text}\n\n${said}`;
      at ??= turn.at;
    }
  }
  if (text !== '') yield { text, at };
}

function* piecesOf(text: string): Generator<string> {
  const whole = text.replaceAll('\0', '').trim();
  for (let start = 0; start < whole.length; start += EPISODE_CHARACTERS) {
    yield whole.slice(start, start + EPISODE_CHARACTERS).toWellFormed();
  }
}
