/** The local embedder on a model in a folder, with its real worker. `npm test` builds the worker first. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findLocalModel } from '../../../src/embedding/local/local.js';
import { startModelHub } from '../../support/model-hub.js';
import { meanOf, TINY_WIDTH, tinyModelFiles } from '../../support/tiny-model.js';
import { DIMENSIONS, expectVector, newFolder, openEmbedder, settingsWith, tinyModelFolder } from './test-local.js';

const DIST = fileURLToPath(new URL('../../../build/', import.meta.url));
const padded = (vector: readonly number[]) => [...vector, ...Array.from({ length: DIMENSIONS - TINY_WIDTH }, () => 0)];

describe('a vector', () => {
  test('has VECTOR_SIZE numbers, padded with zeros, and does not depend on other texts', async () => {
    const { embedder } = await openEmbedder({ path: tinyModelFolder() });
    const cat = padded(meanOf(['[CLS]', 'cat', '[SEP]']));
    const [alone] = await embedder.embed(['cat'], 'query');
    const [, among] = await embedder.embed(['the moon runs '.repeat(9), 'cat', 'dog'], 'document');
    expectVector(alone, cat);
    expect(among).toEqual(alone);
    expect(embedder.returned).toEqual({ dimensions: TINY_WIDTH, isUsable: true });
  });

  test('of a question or a memory is made with the prefix that the model was trained with', async () => {
    const { embedder } = await openEmbedder({ path: tinyModelFolder({}, 'e5-small-v2') });
    const [query] = await embedder.embed(['cat'], 'query');
    const [passage] = await embedder.embed(['cat'], 'document');
    expectVector(query, padded(meanOf(['[CLS]', 'query', ':', 'cat', '[SEP]'])));
    expectVector(passage, padded(meanOf(['[CLS]', 'passage', ':', 'cat', '[SEP]'])));
  });
});

describe('work', () => {
  test('on many documents does not delay a question, and stops on close', async () => {
    const { embedder } = await openEmbedder({ path: tinyModelFolder() });
    await embedder.embed(['cat'], 'query');
    const documents = embedder.embed(
      Array.from({ length: 20_000 }, () => 'the cat sees the moon'),
      'document',
    );
    const outcome = documents.then(
      () => 'done',
      error => error.code,
    );
    expectVector((await embedder.embed(['cat'], 'query'))[0], padded(meanOf(['[CLS]', 'cat', '[SEP]'])));
    await embedder.close();
    expect(await outcome).toBe('unavailable');
    await expect(embedder.embed(['cat'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    await embedder.close();
  });

  test('that is done does not keep the process alive', () => {
    const script = `
      import { createLocalEmbedder } from ${JSON.stringify(pathToFileURL(join(DIST, 'embedding/local/local.js')).href)};
      const settings = ${JSON.stringify(settingsWith({ path: tinyModelFolder() }))};
      const parts = { log: { info() {}, warn() {} }, clock: { elapsedMs: () => 0, schedule: () => () => {} } };
      const embedder = await createLocalEmbedder(settings, parts);
      const [vector] = await embedder.embed(['cat'], 'document');
      process.stdout.write('dimensions ' + vector.length);`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
    expect([status, stdout.toString(), stderr.toString()]).toEqual([0, `dimensions ${DIMENSIONS}`, '']);
  });

  test('on a text that the model cannot embed does not affect later texts', async () => {
    const path = tinyModelFolder();
    const file = join(path, 'tokenizer.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"vocab": {', '"vocab": { "unicorn": 99,'));
    const { embedder } = await openEmbedder({ path });
    await expect(embedder.embed(['cat', 'unicorn'], 'document')).rejects.toMatchObject({ code: 'invalid' });
    expect(await embedder.embed(['cat'], 'document')).toHaveLength(1);
  });
});

describe('the name of the vector space', () => {
  const nameOf = async (path: string) => (await openEmbedder({ path })).embedder.model;

  test('contains a checksum of the files if the model is in a folder', async () => {
    const name = await nameOf(tinyModelFolder());
    expect(name).toMatch(/^local:tiny:[0-9a-f]{12}$/);
    expect(await nameOf(tinyModelFolder())).toBe(name);
    expect(await nameOf(tinyModelFolder({ entry: (id, column) => id - column }))).not.toBe(name);
    expect(await nameOf(tinyModelFolder({ pooling: { pooling_mode_cls_token: true } }))).not.toBe(name);
  });

  test('is the name of the model if it is on the hub', async () => {
    const { embedder } = await openEmbedder({ model: 'acme/tiny', folder: newFolder() });
    expect(embedder.model).toBe('local:acme/tiny');
    expect(embedder.description).toBe('local (acme/tiny, on this machine)');
  });
});

describe('an invalid setting', () => {
  test('is refused at the start: a model whose vectors are longer than VECTOR_SIZE', async () => {
    await expect(openEmbedder({ path: tinyModelFolder() }, TINY_WIDTH - 1)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('6 dimensions, more than VECTOR_SIZE=5: set VECTOR_SIZE=6'),
    });
    await expect(openEmbedder({ model: 'Xenova/all-MiniLM-L6-v2', folder: newFolder() }, 128)).rejects.toThrow(
      '384 dimensions, more than VECTOR_SIZE=128',
    );
  });

  test('is reported on first use: a model with an undeclared vector length above VECTOR_SIZE', async () => {
    const path = tinyModelFolder({ config: { hidden_size: undefined } });
    const { embedder } = await openEmbedder({ path }, TINY_WIDTH - 1);
    await expect(embedder.embed(['cat'], 'document')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('set VECTOR_SIZE=6'),
    });
  });

  test.each([
    'minilm',
    '../minilm',
    'acme/..',
    'acme/../../etc',
    '/etc/passwd',
    'acme/tiny/more',
    'acme\\tiny/x',
    'a b/c',
  ])('is refused at the start: the model name %s', async model => {
    await expect(openEmbedder({ model, folder: newFolder() })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('LOCAL_EMBEDDING_MODEL must be multilingual or a model in the form owner/name'),
    });
  });

  test.each(['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'])(
    'is refused at the start: a folder without %s',
    async file => {
      const path = tinyModelFolder();
      rmSync(join(path, file));
      await expect(openEmbedder({ path })).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('LOCAL_EMBEDDING_PATH'),
      });
    },
  );
});

describe('the search for a usable model', () => {
  const FILES = tinyModelFiles();
  const local = (more: object) => settingsWith(more).local;

  test('finds a model in a folder', async () => {
    const path = tinyModelFolder();
    expect(await findLocalModel(local({ path }))).toEqual({ state: 'on disk', reason: `on disk in ${path}` });
  });

  test('finds that a model can be downloaded, and finds it on disk after the download', async () => {
    const hub = await startModelHub(FILES);
    const folder = newFolder();
    const settings = local({ folder, hubUrl: hub.url });
    expect(await findLocalModel(settings)).toMatchObject({ state: 'fetchable' });
    const { log } = await openEmbedder(settings);
    await log.next(/is complete/);
    expect(await findLocalModel(settings)).toMatchObject({ state: 'on disk' });
    rmSync(join(folder, 'acme/tiny/tokenizer.json'));
    expect(await findLocalModel(settings)).toMatchObject({ state: 'fetchable' });
  });

  test('reports that the hub does not have the model', async () => {
    const hub = await startModelHub();
    expect(await findLocalModel(local({ folder: newFolder(), hubUrl: hub.url }))).toMatchObject({
      state: 'unavailable',
      reason: expect.stringMatching(/^not on disk, and 127\.0\.0\.1:\d+ does not have it$/),
    });
  });

  test('reports that the hub cannot be reached', async () => {
    expect(await findLocalModel(local({ folder: newFolder() }))).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('cannot be reached'),
    });
  });

  test('reports that the folder contains no model', async () => {
    expect(await findLocalModel(local({ path: newFolder() }))).toMatchObject({ state: 'unavailable' });
  });
});
