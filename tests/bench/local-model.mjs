/** Helpers of the benchmarks of the `local` embedder. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'sentence_bert_config.json', '1_Pooling'];

/** Creates a model folder of links to the files of another model folder, with only one of its weights files. */
export function folderWith(folder, weights) {
  const path = mkdtempSync(join(tmpdir(), 'engraph-model-'));
  mkdirSync(join(path, 'onnx'));
  for (const file of [...FILES, weights])
    if (existsSync(join(folder, file))) symlinkSync(join(folder, file), join(path, file));
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

export const wallClock = {
  elapsedMs: () => performance.now(),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
