/** The golden questions. The golden memories answer some of them, and do not answer the others. */
import { CODE_QUERIES } from './queries-code.js';
import { DATE_QUERIES } from './queries-dates.js';
import { PEOPLE_QUERIES } from './queries-people.js';

export { UNANSWERABLE_QUERIES } from './queries-unanswerable.js';

export const ANSWERABLE_QUERIES = [...CODE_QUERIES, ...PEOPLE_QUERIES, ...DATE_QUERIES];
