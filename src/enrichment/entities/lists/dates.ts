/** Calendar words. They are not entities, because every memory has a timestamp. */
import { wordSet } from './word-set.js';

export const CALENDAR_WORDS = wordSet(`
  monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue tues wed thu
  thur thurs fri sat sun january february march april may june july august september october november december jan feb mar apr jun jul aug sep
  sept oct nov dec spring summer autumn fall winter today tomorrow yesterday tonight q1 q2 q3 q4 h1 h2 am pm utc gmt cet cest est edt pst pdt
`);
