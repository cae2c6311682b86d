/** Runs commands in the process of the test, which takes a tenth of the time of a process of their own. */
import { tmpdir } from 'node:os';
import { vi } from 'vitest';
import { run } from '../../src/cli/main.js';
import { ENVIRONMENT } from './spawned-engraph.js';

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command that ends by itself, in a folder of no project. Only one may run at a time. */
export async function runInProcess(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map(name =>
    vi.spyOn(process[name], 'write').mockImplementation((text, ...rest) => {
      output[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      const written = rest.findLast(each => typeof each === 'function');
      written?.();
      return true;
    }),
  );
  spies.push(vi.spyOn(process, 'cwd').mockReturnValue(tmpdir()) as never);
  const before = { environment: { ...process.env }, listeners: process.listeners('unhandledRejection') };
  setEnvironment({ ...ENVIRONMENT, ...environment });
  try {
    return { code: await run(args), ...output };
  } finally {
    setEnvironment(before.environment);
    for (const spy of spies) spy.mockRestore();
    for (const listener of process.listeners('unhandledRejection')) {
      if (!before.listeners.includes(listener)) process.off('unhandledRejection', listener);
    }
  }
}

/** Changes the variables in place, because the home folder is read from the variables of the process itself. */
function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables);
}
