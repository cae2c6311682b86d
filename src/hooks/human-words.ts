/**
 * Extracts from a prompt the text that a person wrote. Hosts send commands and outputs through the same hook. Lines of
 * logs, stack traces, diffs, data and code are recognized in linear time.
 */
import { isStopWord } from '../domain/text/language.js';
import { words } from '../domain/text/words.js';
import WORDS from './assents.json' with { type: 'json' };

/** Maximum number of characters of a prompt that are read. */
const READ_MAX_LENGTH = 20_000;
/** Matches `/review src`, but not `/usr/lib is full`. */
const SLASH_COMMAND = /^\/[a-zA-Z][\w:.-]*(?:\s|$)/;
/**
 * Matches a prompt that the host passes on: `!` passes a command to the shell, `#` passes a note of one line to the host's
 * own memory. `#` also begins headings, and numbers of issues.
 */
const PASSED_THROUGH = /^(?:!|# [^\n]*$)/;
/** Sentences that hosts send as if the user had written them. */
const HOST_SENTENCES =
  /^(?:\[request interrupted|caveat: the messages below|\[image: |this session is being continued from|\w{1,40}:?\w{0,40} hook (?:feedback|output|success|error):)/i;
/** Matches elements that hosts add. Their names contain a hyphen, such as `system-reminder`. */
const ELEMENT_NAME = /^<\/?([a-z]+(?:-[a-z]+)+)(?:\s[^<>]{0,200})?>/;
const DIFFERENCE = /^(?:diff --git |@@ -\d)/;
const CHANGED_OR_CONTEXT = /^(?:[-+ \\]|index |$)/;
const FENCE = /^\s{0,3}(?:```|~~~)/;
/** Words of replies such as "yes, go on". A prompt of only such words contains no subject to search for. */
const ASSENTS: ReadonlySet<string> = new Set(WORDS);
/**
 * If at least this share of the lines are machine lines, the prompt contains a pasted text. Then only the lines before
 * and after the pasted text can be the user's.
 */
const PASTED_SHARE = 0.4;
/**
 * Matches a question mark, words that ask or address somebody, and letters that are not of ASCII. Lines before or after a
 * pasted text count as written by the user only if they contain one of these. The last line of a log rarely contains one.
 */
const ADDRESSES =
  /\?|(?![a-z])\p{L}|\b(?:i|i'm|we|my|our|me|us|you|can|could|please|pls|why|how|what|which|where|who|help)\b/iu;

/**
 * @returns undefined if a machine wrote all of the prompt, if the prompt is a command or a note for the host, or if it
 * only agrees or refuses
 */
export function humanWords(prompt: string): string | undefined {
  const text = prompt.slice(0, READ_MAX_LENGTH).trim();
  if (HOST_SENTENCES.test(text) || SLASH_COMMAND.test(text) || PASSED_THROUGH.test(text)) return undefined;
  const kept = spokenIn(withoutElements(text));
  return words(kept).some(word => !ASSENTS.has(word) && !isStopWord(word) && !/^\d+$/.test(word)) ? kept : undefined;
}

/** Returns the lines that a person wrote. The result is empty if there is no such line. */
function spokenIn(text: string): string {
  const lines = linesOf(text);
  const machineCount = lines.filter(({ isMachine }) => isMachine).length;
  if (machineCount < lines.length * PASTED_SHARE) return joined(lines.filter(({ isMachine }) => !isMachine));
  const first = lines.findIndex(({ isMachine }) => isMachine);
  const last = lines.findLastIndex(({ isMachine }) => isMachine);
  const said = [joined(lines.slice(0, first)), joined(lines.slice(last + 1))];
  return said.filter(part => ADDRESSES.test(part)).join('\n');
}

function joined(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join('\n');
}

/** Removes the elements that hosts add, with their content. */
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

interface Line {
  text: string;
  isMachine: boolean;
}

/** Splits a text into lines, without empty lines. Lines of code blocks and of diffs always count as machine lines. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let isCode = false;
  let isDifference = false;
  const all = text.split('\n');
  const areFew = all.filter(line => line.trim() !== '').length <= FEW_LINES;
  for (const line of all) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    isDifference = DIFFERENCE.test(line) || (isDifference && CHANGED_OR_CONTEXT.test(line));
    if (line.trim() === '') continue;
    lines.push({ text: line.trim(), isMachine: isFence || isCode || isDifference || isMachineLine(line, areFew) });
  }
  return lines;
}

/** Maximum length in characters of a line that a person may have typed. Longer lines are data. */
const LINE_MAX_LENGTH = 2_000;
/** Forms that no sentence has. Each pattern is anchored or bounded, so that none needs more than linear time. */
const MACHINE_FORMS: readonly RegExp[] = [
  // Timestamps of logs: "2026-11-23T10:00:00", "[10:00:00", "Nov 23 10:00:00".
  /^\s*[[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/,
  /^\s*[[(]?\d\d:\d\d:\d\d/,
  /^\s*[A-Z][a-z]{2}\s{1,2}\d{1,2} \d\d:\d\d:\d\d/,
  // Stack traces of Node, Python and Java.
  /^\s*at (?:async )?[\w.<>$[\] ]{1,200}\(/,
  /^\s*at \S{1,300}:\d+/,
  /^\s*File "[^"]{1,300}", line \d+/,
  /^\s*Traceback \(most recent call last\)/,
  // Diffs.
  /^(?:diff --git |index [0-9a-f]{7}|@@ -\d|--- \S|\+\+\+ \S)/,
  // JSON and encoded data.
  /^\s*[{}[\]()]+[,;]?\s*$/,
  /^\s*[{[]\s*["'{[\d].*[{}[\],:]\s*$/,
  /^\s*[A-Za-z\d+/_=-]{60,}\s*$/,
];
/** Forms of machines that also begin, end or break a sentence, so they mean nothing in a prompt of only one or two lines. */
const AMBIGUOUS_FORMS: readonly RegExp[] = [
  // Log levels: "ERROR foo", "[warn] bar", "npm ERR!".
  /^\s*\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC)\]?[\s:|]/,
  /^\s*(?:npm|yarn|pnpm) (?:ERR!|WARN|error|warning|notice|verbose)/,
  // Printed errors of Node, Java, Go and Rust.
  /^\s*(?:Caused by: )?(?:[a-z]+\.){1,10}[A-Z]\w*(?:Exception|Error)\b/,
  /^\s*(?:Uncaught )?\w{0,100}(?:Error|Exception|Warning)(?: \[\w+\])?:/,
  /^\s*\.{3} \d+ more/,
  /^\s*(?:goroutine \d+|thread '[^']{1,100}' panicked|note: run with|exit (?:code|status):? \d)/,
  // Version control.
  /^(?:commit [0-9a-f]{7,40}|Author: |Date: {2}|On branch |Changes (?:not staged|to be committed)|\t(?:modified|new file|deleted):)/,
  // Output of tests and builds.
  /^\s*(?:✓|✔|✗|✘|×|√|❯|●|→|⎯|PASS\b|FAIL\b|ok \d|not ok \d|# (?:tests|pass|fail)\b|Tests?:? {1,}\d|Test (?:Files|Suites)|Snapshots:|Time: |Duration )/,
  /^\s*[@\w./-]{1,60}:[\w./-]{1,40}:(?:\s|$)/,
  /^\s*\[[\w@./-]{1,40}\]\s/,
  /^\s*[\w@./-]{1,60} v?\d+\.\d+\.\d+\s*$/,
  // Symbols, but not emoji.
  /^\s*(?!\p{Emoji_Presentation})[\p{So}\p{Sm}›»┌├└│■□▲▶◆](?!\uFE0F)/u,
  /^\s*(?:={3,}|-{3,}|\*{3,}|_{3,}|#{5,})/,
  /^\s*[\w./\\@-]{1,300}[:(]\d+[:,]\d+\)?[:\s]/,
  /^\s*(?:> )?[\w@./-]+@\d+\.\d+\.\d+ /,
  /^\s*(?:error|warning)(?:\[\w+\]| TS\d+)?: /,
  /^\s*(?:FAILED|PASSED|SKIPPED|ERROR)\b/,
  /^\s*(?:E {2,}|> {3,}\d+ \||\d+ \| )/,
  // Data: YAML, TOML, CSV, tables, listings of files.
  /^\s*"[^"]{1,200}"\s*:/,
  /^\s*(?:-\s)?[\w.-]{1,60}:\s*(?:$|["'[{|>]|true\b|false\b|null\b|\d[\d.]*\s*$)/,
  /^\s*-\s[\w.-]{1,60}:\s\S+\s*$/,
  /^\s*[A-Z][A-Z\d_]{2,60}=/,
  /^[^,;]{1,80}(?:[,;][^\s,;][^,;]{0,80}){3,}/,
  // Columns. A person types two spaces in a row only after a sentence.
  /[^\s.?!:] {2,}\S/,
  /^\s*\|.*\|\s*$/,
  /^\s*[d-][rwx-]{9}/,
  /^total \d+$/,
  // Shell prompts, code and markup. In Greek, a question ends with a semicolon.
  /^\s*(?:\$|%|>>>|PS [A-Z]:\\|[\w.-]+@[\w.-]+:\S*[#$]) /,
  /^\s*(?:import|export|from|const|let|var|function|class|interface|public|private|def|return|async|await|package|using|#include|SELECT|INSERT|UPDATE|DELETE FROM|CREATE TABLE)\s.*(?:\w\(|=)/,
  /^\s*<\/?[a-zA-Z][^<>]{0,500}>/,
  /^\P{Script=Greek}*[;{}]\s*$/u,
  // Indented lines, as in stack traces and code listings.
  /^(?: {4,}|\t)\S/,
];
const FEW_LINES = 2;

function isMachineLine(line: string, isOneOfFew: boolean): boolean {
  if (line.length > LINE_MAX_LENGTH || MACHINE_FORMS.some(form => form.test(line))) return true;
  return !isOneOfFew && AMBIGUOUS_FORMS.some(form => form.test(line));
}
