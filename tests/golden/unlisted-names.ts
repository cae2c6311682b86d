/**
 * Replaces names in labelled texts by names that no list contains. A new name can be recognised only by its shape
 * and by the words around it. Names in lower case are not replaced, because only a list can recognise them. In texts
 * with double quotes or backticks no name is replaced.
 */
import type { Entity } from '../../src/domain/entity.js';
import type { LabelledText } from './entities.js';

const PEOPLE =
  'Quorra Tavish Brightwen Zellit Morvane Drenna Halvik Ostrel Pendrik Sulwen Tarnok Ulfira Vexley Wrenlo Yarrick Zintra'.split(
    ' ',
  );
const THINGS = 'Zellux Brutka Marqua Zelbo Kwixo Trovant Plindo Vexit Skorla Drumbo'.split(' ');

const BETWEEN_MARKS = /[`"]/;
const CAPITAL = /^\p{Lu}/u;

/** Replaces names by names that no list contains. Returns only the changed texts, in the order of the set. */
export function underUnlistedNames(set: readonly LabelledText[]): LabelledText[] {
  let used = 0;
  const unlisted = (names: readonly string[]) => names[used++ % names.length] ?? '';
  return set
    .filter(labelled => labelled.entities.some(entity => isReplaced(entity, labelled.text)))
    .map(({ text, entities }) => {
      let replaced = text;
      const renamed = entities.map(entity => {
        if (!isReplaced(entity, text)) return entity;
        const words = entity.name.split(' ');
        const name = words.map(() => unlisted(entity.kind === 'people' ? PEOPLE : THINGS)).join(' ');
        replaced = replaced.replaceAll(entity.name, name);
        return { kind: entity.kind, name };
      });
      return { text: replaced, entities: renamed };
    });
}

/** Names of several words are replaced only for people. Other such names contain descriptive words, such as "Bank". */
function isReplaced({ kind, name }: Entity, text: string): boolean {
  if (BETWEEN_MARKS.test(text) || !CAPITAL.test(name) || !text.includes(name)) return false;
  return kind === 'people' || !name.includes(' ');
}
