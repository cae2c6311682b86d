/** Reads what a host sends to a hook, and turns it into the body of a request. */
import type { HookEvent, HostFields } from '../../connect/hook-hosts.js';
import { projectOf } from '../../project/project.js';

/** A host that keeps stdin open has sent everything after this time without a further byte. */
const QUIET_MS = 200;

/**
 * Length in characters. People paste whole logs into prompts. Only the first 20,000 characters of a prompt are read, and a
 * longer body would be refused.
 */
const TEXT_MAX_LENGTH = 100_000;

/** Resolves with the object on stdin, or with an empty object if there is none. */
export function readStdin(deadlineMs: number): Promise<Record<string, unknown>> {
  if (process.stdin.isTTY) return Promise.resolve({});
  return new Promise(resolve => {
    const parts: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(quiet);
      clearTimeout(deadline);
      process.stdin.destroy();
      resolve(objectIn(Buffer.concat(parts).toString('utf8')));
    };
    const deadline = setTimeout(finish, Math.max(0, deadlineMs - performance.now()));
    process.stdin.on('data', part => {
      parts.push(part);
      clearTimeout(quiet);
      quiet = setTimeout(finish, QUIET_MS);
    });
    process.stdin.on('end', finish);
    process.stdin.on('error', finish);
  });
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
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
