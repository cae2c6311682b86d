/** A question into the names and subjects it is about, for supplementary searches. Pure. */
import { isStopWord, words } from '../domain/text.js';

const ENTITIES_MAX = 2;
const TOPICS_MAX = 3;
const TOPIC_MIN_LENGTH = 4;
/** A run of capitalised words, or what stands in quotation marks. */
const NAME = /["“]([^"”]+)["”]|\b\p{Lu}[\p{L}\p{N}]*(?:[ -]\p{Lu}[\p{L}\p{N}]*)*/gu;

/** Texts to search for beside the question: each name, each name with each subject, and the subjects where no name is. */
export function decompose(question: string): string[] {
  const entities = namesIn(question).slice(0, ENTITIES_MAX);
  const named = new Set(entities.flatMap(words));
  const topics = [...new Set(words(question))]
    .filter(word => word.length >= TOPIC_MIN_LENGTH && !isStopWord(word) && !named.has(word))
    .slice(0, TOPICS_MAX);
  const supplements =
    entities.length > 0 ? entities.flatMap(entity => [entity, ...topics.map(topic => `${entity} ${topic}`)]) : topics;
  return [...new Set(supplements)];
}

/** Names in order of appearance. Question words and the like are none, wherever a sentence begins. */
function namesIn(question: string): string[] {
  const names = [...question.matchAll(NAME)].map(([run, quoted]) => quoted ?? withoutLeadingStopWords(run));
  return [...new Set(names.filter(name => name !== ''))];
}

function withoutLeadingStopWords(run: string): string {
  const parts = run.split(' ');
  const first = parts.findIndex(part => !isStopWord(part.toLowerCase()));
  return first < 0 ? '' : parts.slice(first).join(' ');
}
