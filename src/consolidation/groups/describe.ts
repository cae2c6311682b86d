/** Describes a group by the names, tags and key terms that its memories use, by their time span and by their number. */
import type { GroupAbout } from '../../domain/consolidation.js';
import { entitiesOf, isEntityNames, isEntityTag, ownTags, slugOf } from '../../domain/entity.js';
import type { Memory } from '../../domain/memory.js';
import { tagKey } from '../../domain/tags.js';
import { beginningOf } from '../../domain/text/characters.js';
import { isStopWord } from '../../domain/text/language.js';
import { stem, words } from '../../domain/text/words.js';
import type { DatedText } from '../../language-model/language-model.js';
import { type Rarity, type TraitKind, traitNumber } from '../evidence/traits.js';
import type { PlanContext } from '../planner.js';

/** Minimum share of the members that use a word. A less frequent word does not describe the group. */
const SHARE_MIN = 0.1;
const MEMBERS_MIN = 2;
/** At least this share of all memories with a word must be in the group. Otherwise the word is too general. */
const CONCENTRATION_MIN = 0.4;
const SHOWN = { entity: 4, tag: 4, term: 8 };
const SUBJECTS_MAX = 6;
const READ_MAX_LENGTH = 2_000;
const TERM_MIN_LENGTH = 3;
const DIGITS_ONLY = /^\d+$/;

/** Collects the members of a group one by one. */
export interface GroupDescription {
  add(memory: Memory): void;
  /** Requires at least one member. */
  finish(): { content: string; about: GroupAbout };
}

export function createDescription(rarity: Rarity): GroupDescription {
  const seen: Record<TraitKind, Tally> = { entity: createTally(), tag: createTally(), term: createTally() };
  /** The first and the last creation time. */
  let times: string[] = [];
  let count = 0;
  let confidence = 1;
  const most = (kind: TraitKind) => {
    const atLeast = Math.max(MEMBERS_MIN, count * SHARE_MIN);
    const concentration = (name: string, own: number) => own / rarity.frequencyOf(traitNumber({ kind, name }));
    // Accept every entity: its frequency is unknown, because a name in a text is counted as words, not as an entity.
    const isInformative = (name: string, own: number) =>
      kind === 'entity' || concentration(name, own) >= CONCENTRATION_MIN;
    return seen[kind].best({ atLeast, limit: SHOWN[kind], isInformative });
  };
  return {
    add: memory => {
      count += 1;
      confidence = Math.min(confidence, memory.confidence);
      const span = [...times, memory.timestamp].sort();
      times = [span[0] ?? '', span.at(-1) ?? ''];
      for (const name of namesOf(memory)) seen.entity.add(slugOf(name), name);
      for (const tag of ownTags(memory)) if (!isEntityTag(tag)) seen.tag.add(tagKey(tag), tag);
      for (const word of informativeWords(memory.content)) seen.term.add(stem(word), word);
    },
    finish: () => {
      const [earliest = '', latest = ''] = times;
      const entities = most('entity');
      const named = new Set(entities.flatMap(name => words(name)));
      const terms = most('term').filter(term => !named.has(term));
      const about = { entities, tags: most('tag'), terms, earliest, latest, confidence };
      return { content: contentOf(count, about), about };
    },
  };
}

function namesOf({ metadata }: Memory): Set<string> {
  const { entities } = metadata;
  return new Set(isEntityNames(entities) ? entitiesOf(entities).map(({ name }) => name) : []);
}

/** Returns one word for each stem, without short words, stop words and numbers. */
function informativeWords(content: string): Iterable<string> {
  const byStem = new Map<string, string>();
  for (const word of words(beginningOf(content, READ_MAX_LENGTH))) {
    if (word.length >= TERM_MIN_LENGTH && !isStopWord(word) && !DIGITS_ONLY.test(word)) byStem.set(stem(word), word);
  }
  return byStem.values();
}

function contentOf(count: number, { entities, tags, terms, earliest, latest }: GroupAbout): string {
  const [from, to] = [earliest.slice(0, 10), latest.slice(0, 10)];
  const subjects = [...entities.slice(0, SUBJECTS_MAX / 2), ...terms].slice(0, SUBJECTS_MAX);
  const about = subjects.length > 0 ? subjects : tags;
  const span = from === to ? `of ${from}` : `from ${from} to ${to}`;
  const sentence = `${count} memories about ${about.length > 0 ? about.join(', ') : 'one subject'}, ${span}.`;
  return tags.length > 0 && about !== tags ? `${sentence} Their tags are ${tags.join(', ')}.` : sentence;
}

interface Tally {
  add(key: string, spelling: string): void;
  /** Returns the selected keys, the most frequent key first. Each key has its most frequent spelling. */
  best(options: { atLeast: number; limit: number; isInformative(key: string, count: number): boolean }): string[];
}

/** Counts keys and the spellings of each key. */
function createTally(): Tally {
  const counts = new Map<string, { count: number; spellings: Map<string, number> }>();
  return {
    add: (key, spelling) => {
      const known = counts.get(key) ?? { count: 0, spellings: new Map<string, number>() };
      known.count += 1;
      known.spellings.set(spelling, (known.spellings.get(spelling) ?? 0) + 1);
      counts.set(key, known);
    },
    best: ({ atLeast, limit, isInformative }) =>
      [...counts]
        .filter(([key, { count }]) => count >= atLeast && isInformative(key, count))
        .map(([, { count, spellings }]) => ({ count, shown: mostOften(spellings) }))
        .sort((a, b) => b.count - a.count || (a.shown < b.shown ? -1 : 1))
        .slice(0, limit)
        .map(({ shown }) => shown),
  };
}

function mostOften(spellings: ReadonlyMap<string, number>): string {
  const ranked = [...spellings].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  return ranked[0]?.[0] ?? '';
}

const EXCERPTS_MAX = 12;
const EXCERPT_MAX_LENGTH = 300;

/** Receives the members of a group one by one, and keeps excerpts of the selected members. */
export interface Excerpts {
  add(memory: Memory): void;
  /** Oldest first. */
  texts(): DatedText[];
}

/** @param memberIds of all members; the selected members are evenly spaced in this list */
export function createExcerpts(memberIds: readonly string[]): Excerpts {
  const step = Math.max(1, memberIds.length / EXCERPTS_MAX);
  const count = Math.min(EXCERPTS_MAX, memberIds.length);
  const shown = new Set(Array.from({ length: count }, (_, index) => memberIds[Math.floor(index * step)]));
  const texts: DatedText[] = [];
  return {
    add: ({ id, timestamp, content }) => {
      if (shown.has(id)) texts.push({ date: timestamp, text: beginningOf(content, EXCERPT_MAX_LENGTH) });
    },
    texts: () => texts.sort((a, b) => (a.date < b.date ? -1 : 1)),
  };
}

/**
 * Maximum number of groups that the model describes, which limits the cost of a run. If nothing changes, the next run
 * chooses the same groups, whose descriptions already exist.
 */
const WORDED_GROUPS_MAX = 100;
const TARGET_LENGTH = 300;
const LENGTH_MAX = 2 * TARGET_LENGTH;

/** @returns undefined for a group that gets no description in this run */
export type GroupWords = (place: number, texts: readonly DatedText[]) => Promise<string | undefined>;

/** @param groups ids of the members of each group, by position */
export function createGroupWords(
  { wordGroup, onPage }: Pick<PlanContext, 'wordGroup' | 'onPage'>,
  groups: readonly (readonly string[])[],
): GroupWords {
  if (!wordGroup) return async () => undefined;
  const chosen = new Set(largestOf(groups));
  let isAnswering = true;
  return async (place, texts) => {
    if (!isAnswering || !chosen.has(place)) return undefined;
    await onPage();
    const wording = await wordGroup(texts, TARGET_LENGTH);
    // After a failure the model is not asked again, because every further group would wait for the same failure.
    isAnswering = wording !== undefined;
    return wording === undefined ? undefined : inOneLine(wording);
  };
}

function largestOf(groups: readonly (readonly string[])[]): number[] {
  return [...groups.keys()]
    .sort((a, b) => (groups[b]?.length ?? 0) - (groups[a]?.length ?? 0) || a - b)
    .slice(0, WORDED_GROUPS_MAX);
}

function inOneLine(wording: string): string {
  return beginningOf(wording, LENGTH_MAX).split(/\s/).filter(Boolean).join(' ');
}
