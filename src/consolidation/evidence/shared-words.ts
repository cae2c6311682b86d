/** The words, names and tags that two memories share and few other memories have. */
import type { Memory } from '../../domain/memory.js';
import { stem, words } from '../../domain/text/words.js';
import type { Rarity } from './rarity.js';
import { entitySlugs, type NamedTrait, namedTraits, traitNumber } from './traits.js';

export interface SharedWords {
  /** The shared words as the first memory spells them, rarest first. */
  shown: readonly string[];
  /** Number of independent words among the shared words: the words of one name count as one word. */
  independentCount: number;
}

type Text = Pick<Memory, 'content' | 'tags' | 'metadata'>;

export function sharedWords(a: Text, b: Text, rarity: Rarity): SharedWords {
  const ofB = new Set(namedTraits(b).map(traitNumber));
  const shared = namedTraits(a)
    .map(trait => ({ trait, number: traitNumber(trait) }))
    .filter(({ number }) => ofB.has(number) && rarity.isInformative(number))
    .sort((one, other) => rarity.weightOf(other.number) - rarity.weightOf(one.number))
    .map(({ trait }) => trait);
  const spelled = new Map(words(a.content).map(word => [stem(word), word]));
  return {
    shown: shared.map(({ kind, name }) => (kind === 'term' ? (spelled.get(name) ?? name) : name)),
    independentCount: countIndependent(shared, [...entitySlugs(a), ...entitySlugs(b)]),
  };
}

function countIndependent(shared: readonly NamedTrait[], slugs: readonly string[]): number {
  const left = new Set(shared.filter(({ kind }) => kind === 'term').map(({ name }) => name));
  let count = shared.length - left.size;
  for (const slug of slugs) {
    const stems = slug.split('-').map(stem);
    if (!stems.every(each => left.has(each))) continue;
    for (const each of stems) left.delete(each);
    count += 1;
  }
  return count + left.size;
}
