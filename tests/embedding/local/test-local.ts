/** Settings, folders and a log for tests of the local embedder. */
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { EmbeddingSettings, LocalModelSettings } from '../../../src/domain/settings.js';
import type { Embedder } from '../../../src/embedding/embedder.js';
import { createLocalEmbedder } from '../../../src/embedding/local/local.js';
import { createManualClock, type ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type TinyModelOptions, writeTinyModel } from '../../support/tiny-model.js';

export const DIMENSIONS = 8;

export interface TestLog {
  lines: string[];
  info(message: string): void;
  warn(message: string): void;
  /** Waits for the next line that matches. */
  next(pattern: RegExp): Promise<string>;
}

export function createTestLog(): TestLog {
  const lines: string[] = [];
  const waiting: { pattern: RegExp; resolve(line: string): void }[] = [];
  const note = (level: string) => (message: string) => {
    lines.push(`${level}: ${message}`);
    for (const { pattern, resolve } of waiting) if (pattern.test(message)) resolve(message);
  };
  return {
    lines,
    info: note('info'),
    warn: note('warn'),
    next: pattern => new Promise(resolve => waiting.push({ pattern, resolve })),
  };
}

export function newFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

/** Writes a tiny model to a new folder with the given name. @returns the path of the folder */
export function tinyModelFolder(options: TinyModelOptions = {}, name = 'tiny'): string {
  const folder = join(newFolder(), name);
  writeTinyModel(folder, options);
  return folder;
}

export interface TestEmbedder {
  embedder: Embedder;
  log: TestLog;
  clock: ManualClock;
}

/** Opens an embedder, which is closed at the end of the test. */
export async function openEmbedder(local: Partial<LocalModelSettings>, dimensions = DIMENSIONS): Promise<TestEmbedder> {
  const log = createTestLog();
  const clock = createManualClock();
  const embedder = await createLocalEmbedder(settingsWith(local, dimensions), { log, clock });
  onTestFinished(() => embedder.close());
  return { embedder, log, clock };
}

export function settingsWith(local: Partial<LocalModelSettings>, dimensions = DIMENSIONS): EmbeddingSettings {
  return {
    provider: 'local',
    dimensions,
    timeoutMs: 1000,
    maxRetries: 0,
    openai: { apiKey: undefined, baseUrl: undefined, model: undefined },
    voyage: { apiKey: undefined, baseUrl: '', model: '' },
    ollama: { baseUrl: '', model: '', isChosen: false },
    local: {
      model: 'acme/tiny',
      path: undefined,
      folder: '/nowhere',
      hubUrl: 'http://127.0.0.1:1',
      ...local,
    },
  };
}

/** Expects two vectors that are equal except for rounding to 32 bits. */
export function expectVector(actual: Float32Array | undefined, expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  const largest = Math.max(...expected.map((value, index) => Math.abs(value - (actual?.[index] ?? 0))));
  expect(largest).toBeLessThan(1e-5);
}
