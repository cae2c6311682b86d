/** A long-running command closes its resources when it is stopped or fails to start. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runUntilStopped } from '../../src/cli/process-guards.js';
import { recordingLog } from '../mcp/connected-client.js';

describe('runUntilStopped', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('closes each resource once, in reverse order, even if it is stopped several times', async () => {
    const closed: string[] = [];
    const code = await runUntilStopped(recordingLog().log, async run => {
      run.closeLater(async () => void closed.push('engine'));
      run.closeLater(async () => void closed.push('listener'));
      run.stop('the test', 3);
      run.stop('again', 4);
    });
    expect(code).toBe(3);
    expect(closed).toEqual(['listener', 'engine']);
  });

  it('closes opened resources if the start fails, and rejects with that failure', async () => {
    const closed: string[] = [];
    const run = runUntilStopped(recordingLog().log, async ({ closeLater }) => {
      closeLater(async () => void closed.push('engine'));
      throw new Error('the port is taken');
    });
    await expect(run).rejects.toThrow('the port is taken');
    expect(closed).toEqual(['engine']);
  });

  it('closes the other resources if closing one of them fails', async () => {
    const closed: string[] = [];
    const { log, lines } = recordingLog();
    await runUntilStopped(log, async run => {
      run.closeLater(async () => void closed.push('engine'));
      run.closeLater(() => Promise.reject(new Error('stuck')));
      run.stop('the test');
    });
    expect(closed).toEqual(['engine']);
    expect(lines.filter(line => line.level === 'error')).toHaveLength(1);
  });

  it('ends the process within five seconds if closing hangs', async () => {
    vi.useFakeTimers();
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    let release: () => void = () => {};
    const done = runUntilStopped(recordingLog().log, async run => {
      run.closeLater(
        () =>
          new Promise(resolve => {
            release = resolve;
          }),
      );
      run.stop('the test');
    });
    await vi.advanceTimersByTimeAsync(4500);
    expect(exit).toHaveBeenCalledWith(1);
    release();
    await done;
  });
});
