/**
 * The plugin for OpenCode. It gives each prompt to `engraph hook` and adds the answer to the person's message, where it
 * stays for the whole conversation. OpenCode calls `chat.message` once for each prompt, but
 * `experimental.chat.system.transform` for every request, even for the one that finds a title.
 */
import { hookWords } from './host-hooks.js';
import type { Launch } from './launch.js';
import { SCRIPT_MARK } from './script-format.js';

const NAME = 'opencode';
const TIMEOUT_MS = 5000;

export function openCodePlugin(launch: Launch): string {
  const command = (event: 'prompt' | 'pre-compact') => JSON.stringify(hookWords(launch, event, NAME));
  return `${SCRIPT_MARK}
import { spawn } from 'node:child_process';

function ask([program, ...args], input) {
  return new Promise(resolve => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    const timer = setTimeout(() => child.kill(), ${TIMEOUT_MS});
    let answer = '';
    child.stdout.setEncoding('utf8').on('data', part => {
      answer += part;
    });
    child.on('error', () => resolve(''));
    child.on('close', () => {
      clearTimeout(timer);
      resolve(answer.trim());
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(input));
  });
}

export const Engraph = async ({ directory }) => ({
  'chat.message': async ({ sessionID }, { message, parts }) => {
    const typed = parts.filter(part => part.type === 'text' && !part.synthetic);
    // \`opencode run\` puts the prompt between quotation marks.
    const prompt = typed.map(part => part.text).join('\\n').replace(/^"([^]*)"$/, '$1');
    if (prompt.trim() === '') return;
    const text = await ask(${command('prompt')}, { session_id: sessionID, cwd: directory, prompt });
    if (text === '') return;
    // Parts are sorted by their ids.
    const id = \`\${typed.at(-1).id}engraph\`;
    parts.push({ id, sessionID, messageID: message.id, type: 'text', synthetic: true, text });
  },
  'experimental.session.compacting': async ({ sessionID }, { context }) => {
    const text = await ask(${command('pre-compact')}, { session_id: sessionID, cwd: directory });
    if (text !== '') context.push(text);
  },
});
`;
}
