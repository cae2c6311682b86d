/** Recognizes lines of logs, stack traces, diffs, data and code, in linear time. */

/** Maximum length in characters of a line that a person may have typed. Longer lines are data. */
const LINE_MAX_LENGTH = 2_000;
/** Each pattern is anchored or bounded, so that none needs more than linear time. */
const FORMS: readonly RegExp[] = [
  // Timestamps of logs: "2026-11-23T10:00:00", "[10:00:00", "Nov 23 10:00:00".
  /^\s*[[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\s*[[(]?\d\d:\d\d:\d\d/,
  /^\s*[A-Z][a-z]{2}\s{1,2}\d{1,2} \d\d:\d\d:\d\d/,
  // Log levels: "ERROR foo", "[warn] bar", "npm ERR!".
  /^\s*\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC)\]?[\s:|]/,
  /^\s*\[(?:trace|debug|info|warn|warning|error|notice)\]/i,
  /^\s*(?:npm|yarn|pnpm) (?:ERR!|WARN|error|warning|notice|verbose)/,
  // Stack traces and printed errors of Node, Python, Java, Go and Rust.
  /^\s*at (?:async )?[\w.<>$[\] ]{1,200}\(/,
  /^\s*at \S{1,300}:\d+/,
  /^\s*File "[^"]{1,300}", line \d+/,
  /^\s*Traceback \(most recent call last\)/,
  /^\s*(?:Caused by: )?(?:[a-z]+\.){1,10}[A-Z]\w*(?:Exception|Error)\b/,
  /^\s*(?:Uncaught )?\w{0,100}(?:Error|Exception|Warning)(?: \[\w+\])?:/,
  /^\s*\.{3} \d+ more/,
  /^\s*(?:goroutine \d+|thread '[^']{1,100}' panicked|note: run with|exit (?:code|status):? \d)/,
  // Diffs and version control.
  /^(?:diff --git |index [0-9a-f]{7}|@@ -\d|--- \S|\+\+\+ \S)/,
  /^(?:commit [0-9a-f]{7,40}|Author: |Date: {2}|On branch |Changes (?:not staged|to be committed)|\t(?:modified|new file|deleted):)/,
  // Output of tests and builds.
  /^\s*(?:✓|✔|✗|✘|×|√|❯|●|→|⎯|PASS\b|FAIL\b|ok \d|not ok \d|# (?:tests|pass|fail)\b|Tests?:? {1,}\d|Test (?:Files|Suites)|Snapshots:|Time: |Duration )/,
  /^\s*[@\w./-]{1,60}:[\w./-]{1,40}:(?:\s|$)/,
  /^\s*\[[\w@./-]{1,40}\]\s/,
  /^\s*[\w@./-]{1,60} v?\d+\.\d+\.\d+\s*$/,
  /^\s*[\p{So}\p{Sm}›»┌├└│■□▲▶◆]/u,
  /^\s*(?:={3,}|-{3,}|\*{3,}|_{3,}|#{5,})/,
  /^\s*[\w./\\@-]{1,300}[:(]\d+[:,]\d+\)?[:\s]/,
  /^\s*(?:> )?[\w@./-]+@\d+\.\d+\.\d+ /,
  /^\s*(?:error|warning)(?:\[\w+\]| TS\d+)?: /,
  /^\s*(?:FAILED|PASSED|SKIPPED|ERROR)\b/,
  /^\s*(?:E {2,}|> {3,}\d+ \||\d+ \| )/,
  // Data: JSON, YAML, TOML, CSV, tables, listings of files.
  /^\s*[{}[\]()]+[,;]?\s*$/,
  /^\s*[{[]\s*["'{[\d]/,
  /^\s*"[^"]{1,200}"\s*:/,
  /^\s*[\w.-]{1,60}:\s*(?:$|["'[{|>]|true\b|false\b|null\b|\d[\d.]*\s*$)/,
  /^\s*-\s[\w.-]{1,60}:(?:\s|$)/,
  /^\s*[A-Z][A-Z\d_]{2,60}=/,
  /^[^,;]{1,80}(?:[,;][^\s,;][^,;]{0,80}){3,}/,
  // Columns. A person types two spaces in a row only after a sentence.
  /[^\s.?!:] {2,}\S/,
  /^\s*\|.*\|\s*$/,
  /^\s*[d-][rwx-]{9}/,
  /^total \d+$/,
  // Shell prompts, code and markup.
  /^\s*(?:\$|%|>>>|PS [A-Z]:\\|[\w.-]+@[\w.-]+:\S*[#$]) /,
  /^\s*(?:import|export|from|const|let|var|function|class|interface|public|private|def|return|async|await|package|using|#include|SELECT|INSERT|UPDATE|DELETE FROM|CREATE TABLE)\b.*[;{(=]/,
  /^\s*<\/?[a-zA-Z][^<>]{0,500}>/,
  /[;{}]\s*$/,
  // Indented lines, as in stack traces and code listings.
  /^(?: {4,}|\t)\S/,
  // Encoded data.
  /^\s*[A-Za-z\d+/_=-]{60,}\s*$/,
];

export function isMachineLine(line: string): boolean {
  return line.length > LINE_MAX_LENGTH || FORMS.some(form => form.test(line));
}
