/** The facts about the hooks of hosts agree with the table of clients, and answers have the form that each host reads. */
import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/connect/clients.js';
import { answerWith, HOOK_HOSTS, type HookHost, senderOf } from '../../src/connect/hook-hosts.js';
import { hookPieces } from '../../src/connect/host-hooks.js';
import { hooksTargetOf } from '../../src/connect/targets.js';
import { LAUNCH, makeHome } from './home.js';

function hostNamed(name: string): HookHost {
  const host = HOOK_HOSTS.find(each => each.name === name);
  if (host === undefined) throw new Error(`${name} has no hooks`);
  return host;
}

test('a client has a file of hooks if and only if the form of its hooks is known', () => {
  const withFile = CLIENTS.filter(({ hooksFile }) => hooksFile !== undefined).map(({ name }) => name);
  const withForm = HOOK_HOSTS.filter(({ form }) => form !== undefined).map(({ name }) => name);
  expect(withFile.sort()).toEqual(withForm.sort());
});

test.each(HOOK_HOSTS.filter(({ form }) => form !== 'script'))('$name gets one hook for each of its events', host => {
  const paths = hookPieces(host, { launch: LAUNCH, platform: 'linux' }).map(({ path }) => path.join('.'));
  const events = host.form === undefined ? [] : Object.values(host.events).map(({ name }) => `hooks.${name}`);
  expect(paths.sort()).toEqual(events.sort());
});

test('no hooks are written on Windows for a host that runs commands there in an unknown way', async () => {
  const { here } = await makeHome();
  const cursor = CLIENTS.find(({ name }) => name === 'cursor');
  const fileOn = (platform: NodeJS.Platform) =>
    cursor && hooksTargetOf(cursor, { ...here, platform }, { launch: LAUNCH });
  expect(fileOn('win32')).toBeUndefined();
  expect(fileOn('darwin')).toBeDefined();
});

describe('an answer', () => {
  test('has the text in its place, and a text that looks like a place stays as it is', () => {
    const { answer } = hostNamed('codex').events.prompt ?? {};
    expect(answer && answerWith(answer, 'a {text} {input.prompt}')).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'a {text} {input.prompt}' },
    });
    expect(answerWith('{text}', 'plain')).toBe('plain');
  });

  test('for Copilot CLI follows the prompt, and is left out if the host has not sent the prompt', () => {
    const { answer } = hostNamed('copilot').events.prompt ?? {};
    const input = { prompt: 'Why?', transformedPrompt: 'Why? $& {text}' };
    expect(answer && answerWith(answer, 'Because.', input)).toEqual({
      modifiedTransformedPrompt: 'Why? $& {text}\n\nBecause.',
    });
    expect(answer && answerWith(answer, 'Because.', { prompt: 'Why?' })).toBeUndefined();
  });
});

describe('VS Code', () => {
  const input = { session_id: 's', hook_event_name: 'UserPromptSubmit', timestamp: '2026-11-28T00:00:00Z' };

  test('is recognized when it runs a hook of Claude Code or of Copilot CLI', () => {
    expect(senderOf(hostNamed('claude-code'), input, {}).name).toBe('vscode');
    expect(senderOf(hostNamed('copilot'), input, {}).name).toBe('vscode');
  });

  test('is not taken for the hosts themselves', () => {
    const { timestamp: _, ...claude } = input;
    expect(senderOf(hostNamed('claude-code'), claude, {}).name).toBe('claude-code');
    expect(senderOf(hostNamed('claude-code'), input, { CLAUDECODE: '1' }).name).toBe('claude-code');
    expect(senderOf(hostNamed('copilot'), { sessionId: 's', timestamp: 1 }, {}).name).toBe('copilot');
    expect(senderOf(hostNamed('gemini'), input, {}).name).toBe('gemini');
  });
});
