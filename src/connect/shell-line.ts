/** Writes a command with its arguments as one line for a shell. */

export type Shell = 'posix' | 'cmd' | 'powershell';

/** Words of these characters need no quotes in any shell. */
const PLAIN = /^[\w@+=:,./\\-]+$/;
const PLAIN_IN_POSIX = /^[\w@+=:,./-]+$/;

const QUOTED: Readonly<Record<Shell, (word: string) => string>> = {
  posix: word => (PLAIN_IN_POSIX.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`),
  cmd: word => (PLAIN.test(word) ? word : `"${word}"`),
  powershell: word => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "''")}'`),
};

/** PowerShell runs a quoted program only after `&`. */
export function shellLine(words: readonly string[], shell: Shell): string {
  const line = words.map(QUOTED[shell]).join(' ');
  return shell === 'powershell' && line.startsWith("'") ? `& ${line}` : line;
}
