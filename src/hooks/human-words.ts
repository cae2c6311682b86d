/** Finds what a person has written in a prompt: hosts send commands, outputs and pasted logs through the same hook. Pure. */
import { isStopWord, words } from '../domain/text.js';
import { isMachineLine } from './machine-line.js';

/** What comes after so many characters is not read. */
const READ_MAX_LENGTH = 20_000;
/** `/review src`, but not `/usr/lib is full`. */
const SLASH_COMMAND = /^\/[a-zA-Z][\w:.-]*(?:\s|$)/;
/** A command for the shell, or a note for the memory of the host. */
const PASSED_THROUGH = /^[!#]/;
/** Sentences that hosts put in a person's place. */
const HOST_SENTENCES =
  /^(?:\[request interrupted|caveat: the messages below|\[image|this session is being continued from)/i;
/** Elements of hosts have a hyphen in their name, such as `system-reminder`. */
const ELEMENT_NAME = /^<\/?([a-z]+(?:-[a-z]+)+)(?:\s[^<>]{0,200})?>/;
const DIFFERENCE = /^(?:diff --git |@@ -\d)/;
const CHANGED_OR_CONTEXT = /^(?:[-+ \\]|index |$)/;
const FENCE = /^\s{0,3}(?:```|~~~)/;
/** Answers to the assistant that name nothing. */
const ASSENTS = new Set(
  `yes yep yeah y no nope n ok okay k sure continue go on ahead proceed next do it that this thanks thank you please lgtm
  good great perfect nice done stop wait retry again more run keep going finish start approve approved correct right fine
  cool all them both first second third the now and then looks sounds`.split(/\s+/),
);
/** Words of a pasted text that stand between its lines. */
const WORDS_MIN = 2;

/** @returns undefined where a machine has written all of it, or where it says nothing but yes or no */
export function humanWords(prompt: string): string | undefined {
  const text = prompt.slice(0, READ_MAX_LENGTH).trim();
  if (HOST_SENTENCES.test(text) || SLASH_COMMAND.test(text) || PASSED_THROUGH.test(text)) return undefined;
  const said = withoutElements(text);
  const kept = spokenLines(said);
  const meant = words(kept).filter(word => !ASSENTS.has(word) && !isStopWord(word) && !/^\d+$/.test(word));
  const isPasted = kept.length < said.length / 2;
  return meant.length >= (isPasted ? WORDS_MIN : 1) ? kept : undefined;
}

/** Without the elements of hosts and all that stands in them. */
function withoutElements(text: string): string {
  let kept = '';
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('<', at);
    if (open < 0) break;
    const name = ELEMENT_NAME.exec(text.slice(open, open + 300))?.[1];
    if (name === undefined) {
      kept += text.slice(at, open + 1);
      at = open + 1;
      continue;
    }
    kept += text.slice(at, open);
    const closing = `</${name}>`;
    const end = text.indexOf(closing, open);
    at = end < 0 ? text.length : end + closing.length;
  }
  return `${kept}${text.slice(at)}`.trim();
}

/** The lines that read like sentences, outside of code and of differences between files. */
function spokenLines(text: string): string {
  const kept: string[] = [];
  let isCode = false;
  let isDifference = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    isDifference = DIFFERENCE.test(line) || (isDifference && CHANGED_OR_CONTEXT.test(line));
    if (!isCode && !isDifference && line.trim() !== '' && !isMachineLine(line)) kept.push(line.trim());
  }
  return kept.join('\n');
}
