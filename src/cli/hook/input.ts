/**
 * Reads what a host sends to a hook, turns it into the body of a request, and records hooks that came too late or
 * failed for `engraph doctor`.
 */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookEvent, HostFields } from '../../connect/hook-hosts.js';
import { projectOf } from '../../project/project.js';

/** A host that keeps stdin open may have sent everything after this time without a further byte. */
const QUIET_MS = 200;

/**
 * Length in characters. People paste whole logs into prompts. Only the first 20,000 characters of a prompt are read, and a
 * longer body would be refused.
 */
const TEXT_MAX_LENGTH = 100_000;

/** Resolves with the text on stdin: all of it, or at the deadline what has come until then. */
export function readStdin(deadlineMs: number): Promise<string> {
  return new Promise(resolve => {
    const parts: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const textSoFar = () =>
      Buffer.concat(parts)
        .toString('utf8')
        .replace(/^\uFEFF/, '');
    const finish = () => {
      clearTimeout(quiet);
      clearTimeout(deadline);
      process.stdin.destroy();
      resolve(textSoFar());
    };
    const finishIfWhole = () => {
      if (factsIn(textSoFar()) !== undefined) finish();
    };
    const deadline = setTimeout(finish, Math.max(0, deadlineMs - performance.now()));
    process.stdin.on('data', part => {
      parts.push(part);
      clearTimeout(quiet);
      quiet = setTimeout(finishIfWhole, QUIET_MS);
    });
    process.stdin.on('end', finish);
    process.stdin.on('error', finish);
  });
}

/** @returns what the host tells, nothing if the text is empty, and undefined if the text is no JSON */
export function factsIn(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return undefined;
  }
}

/** @returns undefined if the host has sent no id of the session, or no prompt */
export async function bodyOf(
  event: HookEvent,
  fields: HostFields,
  input: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const value = (name: keyof HostFields) =>
    fields[name].map(path => valueAt(input, path)).find(found => found !== undefined);
  const session = value('sessionId');
  if (session === undefined) return undefined;
  if (event === 'stop') {
    return {
      session_id: session,
      last_assistant_message: beginningOf(value('reply')),
      stop_hook_active: value('isContinued'),
    };
  }
  if (event === 'pre-compact' || event === 'session-end') return { session_id: session };
  const folder = value('folder');
  const cwd = typeof folder === 'string' && folder !== '' ? folder : process.cwd();
  const project = await projectOf(cwd);
  const known = {
    session_id: session,
    cwd,
    ...(project && { project: project.name, former_projects: project.formerNames }),
  };
  if (event === 'session-start') return { ...known, source: input.source };
  const prompt = value('prompt');
  return prompt === undefined ? undefined : { ...known, prompt: beginningOf(prompt) };
}

function beginningOf(text: unknown): unknown {
  return typeof text === 'string' ? text.slice(0, TEXT_MAX_LENGTH) : text;
}

function valueAt(input: Record<string, unknown>, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], input);
}

export interface HookFailure {
  /** ISO 8601. */
  at: string;
  event: string;
  host: string;
  kind: 'late' | 'failed';
  reason: string;
}

const FILE = 'hook-failures.jsonl';
/** When the file is longer, its older half is dropped. */
const FILE_MAX_BYTES = 65_536;

/** Writes nothing if the folder does not exist or cannot be written: a host must not fail because of this record. */
export function noteFailure(folder: string, failure: Omit<HookFailure, 'at'>): void {
  const path = join(folder, FILE);
  try {
    if (!existsSync(folder)) return;
    appendFileSync(path, `${JSON.stringify({ at: new Date().toISOString(), ...failure })}\n`, { mode: 0o600 });
    if (statSync(path).size <= FILE_MAX_BYTES) return;
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.slice(lines.length >> 1).join('\n'), { mode: 0o600 });
  } catch {
    // The record is only for the doctor.
  }
}

/** Oldest first. Lines that are broken are left out. */
export function readFailures(folder: string): HookFailure[] {
  try {
    return readFileSync(join(folder, FILE), 'utf8').split('\n').flatMap(readLine);
  } catch {
    return [];
  }
}

function readLine(line: string): HookFailure[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as HookFailure];
  } catch {
    return [];
  }
}
