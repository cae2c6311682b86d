/** Splits a question into the names and subjects it is about, for supplementary searches. */
import { isStopWord } from '../../domain/language.js';
import { words } from '../../domain/text/words.js';

const ENTITIES_MAX = 2;
const TOPICS_MAX = 3;
const TOPIC_MIN_LENGTH = 4;
const NAME_WORD = "\\p{Lu}[\\p{L}\\p{N}]*(?:['’]\\p{Lu}[\\p{L}\\p{N}]*)?";
/** A sequence of capitalised words, or a text in quotation marks. */
const NAME = new RegExp(`["“]([^"”]{1,200})["”]|(?<![\\p{L}\\p{N}])${NAME_WORD}(?:[ -]${NAME_WORD})*`, 'gu');
/** Words that cannot begin a name, even with a capital: first words of requests, days of the week, and months. */
const NO_NAMES = new Set(
  `yes please tell remind remember show give find list describe explain summarize monday tuesday wednesday thursday friday
  saturday sunday january february march april may june july august september october november december`.split(/\s+/),
);

/**
 * Additional texts to search for: each name, each name with each subject, or only the subjects if there is no name.
 */
export function decompose(question: string): string[] {
  const names = namesIn(question);
  const entities = names.slice(0, ENTITIES_MAX);
  const named = new Set(names.flatMap(words));
  const topics = [...new Set(words(question))]
    .filter(word => word.length >= TOPIC_MIN_LENGTH && !isStopWord(word) && !named.has(word))
    .slice(0, TOPICS_MAX);
  const supplements =
    entities.length > 0 ? entities.flatMap(entity => [entity, ...topics.map(topic => `${entity} ${topic}`)]) : topics;
  return [...new Set(supplements)];
}

/** Names in order of appearance. */
function namesIn(question: string): string[] {
  const names = [...question.matchAll(NAME)].map(([run, quoted]) => quoted?.trim() ?? withoutOpening(run));
  return [...new Set(names.filter(name => name !== ''))];
}

/** Removes question words and similar words from the beginning of a sequence, because they are not names. */
function withoutOpening(run: string): string {
  const parts = run.split(' ');
  const first = parts.map(part => part.toLowerCase()).findIndex(part => !isStopWord(part) && !NO_NAMES.has(part));
  return first < 0 ? '' : parts.slice(first).join(' ');
}
