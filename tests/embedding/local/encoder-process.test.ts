/** An encoder that runs in a process of its own, as with the native runtime. Here it uses WebAssembly. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createEncoderQueue, startEncoderProcess } from '../../../src/embedding/local/encoder-queue.js';
import { createManualClock } from '../../support/manual-clock.js';
import { meanOf } from '../../support/tiny-model.js';
import { createTestLog, DIMENSIONS, expectVector, newFolder, settingsWith, tinyModelFolder } from './test-local.js';

const LOCAL = pathToFileURL(fileURLToPath(new URL('../../../build/embedding/local/local.js', import.meta.url))).href;
const CAT = meanOf(['[CLS]', 'cat', '[SEP]']);

function openProcesses(folder: string) {
  const log = createTestLog();
  const queue = createEncoderQueue(
    { folder, name: 'tiny', weights: 'onnx/model_quantized.onnx' },
    { log, clock: createManualClock(), startHost: startEncoderProcess, onRuntime: () => {} },
  );
  onTestFinished(() => queue.close());
  return { queue, log };
}

test('vectors are returned in order from a process', async () => {
  const { queue, log } = openProcesses(tinyModelFolder());
  const [question] = await queue.encode(['cat'], 'query');
  expectVector(question, CAT);
  const vectors = await queue.encode(
    Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? 'cat' : 'the moon')),
    'document',
  );
  const moon = meanOf(['[CLS]', 'the', 'moon', '[SEP]']);
  for (const [index, vector] of vectors.entries()) expectVector(vector, index % 3 === 0 ? CAT : moon);
  expect(log.lines).toEqual([]);
});

test('a text that the model cannot embed fails its request, but not the next request', async () => {
  const folder = tinyModelFolder();
  const file = join(folder, 'tokenizer.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"vocab": {', '"vocab": { "unicorn": 99,'));
  const { queue } = openProcesses(folder);
  await expect(queue.encode(['cat', 'unicorn'], 'document')).rejects.toMatchObject({ code: 'invalid' });
  expectVector((await queue.encode(['cat'], 'document'))[0], CAT);
});

test('a missing file of the model is named in the log', async () => {
  const folder = tinyModelFolder();
  rmSync(join(folder, 'tokenizer.json'));
  const { queue, log } = openProcesses(folder);
  await expect(queue.encode(['cat'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
  expect(log.lines).toEqual([`warn: the local model has failed: ${join(folder, 'tokenizer.json')} is missing`]);
});

test('closing the queue makes the waiting texts fail', async () => {
  const { queue, log } = openProcesses(tinyModelFolder());
  await queue.encode(['cat'], 'query');
  const outcome = Promise.allSettled([
    queue.encode(
      Array.from({ length: 20_000 }, () => 'the cat sees the moon'),
      'document',
    ),
  ]);
  await queue.close();
  expect((await outcome)[0]?.status).toBe('rejected');
  expect(log.lines).toEqual([]);
});

/** Runs the code `lines`, which may use `embedder`, in a new process. `content` is the code of the native runtime. */
function runWithNative(content: string, lines: string) {
  const packages = newFolder();
  mkdirSync(join(packages, 'onnxruntime-node'));
  writeFileSync(join(packages, 'onnxruntime-node', 'index.js'), content);
  const script = `
    import { createLocalEmbedder } from ${JSON.stringify(LOCAL)};
    const log = { info: line => console.log('info: ' + line), warn: line => console.log('warn: ' + line) };
    const clock = { elapsedMs: () => 0, schedule: () => () => {} };
    const settings = ${JSON.stringify(settingsWith({ path: tinyModelFolder() }))};
    const embedder = await createLocalEmbedder(settings, { log, clock });
    ${lines}`;
  const env = { ...process.env, NODE_PATH: packages };
  // `spawnSync` returns when all processes that write to the streams have ended, including encoders.
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env,
  });
  return { end: status ?? signal, lines: stdout.toString().trim().split('\n'), errors: stderr.toString() };
}

test('an installed native runtime that does not run on this machine is named in the log, and WebAssembly is used', () => {
  const { end, lines, errors } = runWithNative(
    "throw new Error('built for another machine')",
    `const [vector] = await embedder.embed(['cat'], 'document');
    console.log('dimensions ' + vector.length);`,
  );
  expect([end, errors]).toEqual([0, '']);
  expect(lines).toEqual([
    'warn: onnxruntime-node is installed but cannot be loaded: built for another machine',
    expect.stringMatching(/^info: the local model runs on WebAssembly/),
    `dimensions ${DIMENSIONS}`,
  ]);
});

test('a native runtime that crashes its process fails the text, but the process of the embedder continues', () => {
  const { end, lines, errors } = runWithNative(
    "process.kill(process.pid, 'SIGKILL')",
    `await embedder.embed(['cat'], 'document').catch(error => console.log(error.code));
    console.log('goes on');`,
  );
  expect([end, errors]).toEqual([0, '']);
  expect(lines).toEqual(['warn: the local model was ended by SIGKILL', 'unavailable', 'goes on']);
});

test('encoders end by themselves when their owner is killed', () => {
  const { end, errors } = runWithNative(
    "throw new Error('built for another machine')",
    `await embedder.embed(Array(100).fill('cat'), 'document');
    embedder.embed(Array(20_000).fill('the cat sees the moon'), 'document');
    setImmediate(() => process.kill(process.pid, 'SIGKILL'));`,
  );
  expect([end, errors]).toEqual(['SIGKILL', '']);
});
