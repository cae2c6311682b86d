/** All memories with a tag: listing them, and deleting them. */

import { tagPageAnswer, tagRemovalAnswer } from './answers/tag-page.js';
import { readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';
import { renderTagPage, renderTagRemoval } from './render/tag-page.js';
import { tagPage, tagSelection, toTagPage } from './requests/paging.js';
import { withCertainTags, withWholeTags } from './whole-tags.js';

export const tagOperations: readonly Operation[] = [
  {
    ...routeOf('listByTag'),
    access: 'token',
    tag: 'memories',
    summary: 'List the memories that have any of the tags, most important first',
    query: tagPage,
    answers: { 200: tagPageAnswer },
    failures: ['invalid'],
    run: async (engine, { query }) => {
      const page = readObject(tagPage, await withWholeTags(engine, query), 'The query');
      return renderTagPage(await engine.listByTag(toTagPage(page)));
    },
  },
  {
    ...routeOf('removeByTag'),
    access: 'token',
    tag: 'memories',
    summary: 'Delete every memory that has any of the tags',
    query: tagSelection,
    answers: { 200: tagRemovalAnswer },
    failures: ['invalid'],
    run: async (engine, { query }) => {
      const { tags } = readObject(tagSelection, await withCertainTags(engine, query), 'The query');
      return renderTagRemoval(await engine.removeByTag(tags));
    },
  },
];
