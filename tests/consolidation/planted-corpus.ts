/** More than four hundred notes on fourteen topics, with the pairs of related, duplicate or replaced notes. */
import DEVELOPMENT from './corpus/development.json' with { type: 'json' };
import HELD_OUT from './corpus/held-out.json' with { type: 'json' };
import { type Half, type Pair, type PlantedMemory, readTopic, type Tagging } from './corpus/read-corpus.js';

/**
 * The two halves share nothing. The topics of a half share people, places and words. A pair of `links` should be linked
 * although its topics differ.
 */
const CORPUS = { development: DEVELOPMENT, heldOut: HELD_OUT };

export interface PlantedCorpus {
  memories: readonly PlantedMemory[];
  /** Ids of pairs of memories with different topics but a common subject. */
  links: readonly Pair[];
  /** Ids of pairs of memories that make the same statement. */
  duplicates: readonly Pair[];
  /** Ids of pairs in which the newer note replaces the older one. The older note comes first. */
  replaced: readonly Pair[];
}

export function plantedCorpus(halves: readonly Half[], tagging: Tagging = 'usual'): PlantedCorpus {
  const memories = halves.flatMap(half => {
    return CORPUS[half].topics.flatMap((topic, place) => {
      const index = place + (half === 'heldOut' ? 100 : 0);
      return readTopic(topic, { half, tagging, index });
    });
  });
  const idOf = new Map(memories.flatMap(({ id, name, half }) => (name === undefined ? [] : [[`${half} ${name}`, id]])));
  const ids = (half: Half, pair: Pair): Pair => {
    const [one, other] = pair.map(name => idOf.get(`${half} ${name}`));
    if (one === undefined || other === undefined) throw new Error(`No notes have the names ${pair.join(' and ')}.`);
    return [one, other];
  };
  const named = (ending: string, partner: string) =>
    memories.flatMap(({ name, half }): Pair[] => {
      const stem = name?.endsWith(ending) ? name.slice(0, -ending.length) : undefined;
      return stem === undefined ? [] : [ids(half, [`${stem}${ending}`, `${stem}${partner}`])];
    });
  return {
    memories,
    links: halves.flatMap(half => CORPUS[half].links.map(pair => ids(half, pair as unknown as Pair))),
    duplicates: named('-a', '-b'),
    replaced: named('-old', '-new'),
  };
}
