/** Trusts the hooks of Codex as a person does with `/hooks`: through the server of its own interface. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { HostRun } from './host-programs.js';

interface Answer {
  id?: number;
  result?: { data?: { hooks: { key: string; currentHash: string }[] }[] };
}

export async function trustCodexHooks({ command, environment, folder }: HostRun): Promise<void> {
  const [program = '', ...rest] = command;
  const child = spawn(program, [...rest, 'app-server'], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const call = (id: number, method: string, params: object) =>
    new Promise<Answer>((resolve, reject) => {
      lines.on('line', line => {
        const answer = JSON.parse(line) as Answer;
        if (answer.id === id) resolve(answer);
      });
      child.once('close', () => reject(new Error('the server of Codex has ended')));
      send({ id, method, params });
    });
  try {
    await call(1, 'initialize', { clientInfo: { name: 'engraph-tests', version: '0' } });
    send({ method: 'initialized' });
    const { result } = await call(2, 'hooks/list', { cwds: [folder] });
    const hooks = result?.data?.[0]?.hooks ?? [];
    const value = Object.fromEntries(hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]));
    await call(3, 'config/batchWrite', {
      edits: [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }],
      reloadUserConfig: true,
    });
  } finally {
    child.kill();
  }
}
