/** Whether a question asks for what is newest. */
const ASKS_FOR_THE_LATEST =
  /\b(latest|most recent|recently|current(ly)?|now|nowadays|today|changed|updated|last time|newest|these days|anymore)\b/i;

export function asksForTheLatest(text: string): boolean {
  return ASKS_FOR_THE_LATEST.test(text);
}
