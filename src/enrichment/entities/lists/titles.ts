import { wordSet } from './word-set.js';

/** Titles. They stand before a name and do not belong to the name. */
export const TITLES = wordSet(`
  mr mrs ms mx dr prof professor sir madame lady lord uncle aunt auntie aunty grandma grandpa granny captain coach judge senator
  president nurse cousin
`);
