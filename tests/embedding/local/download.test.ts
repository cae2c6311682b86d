/** The download of a model to the disk, with a stand-in for the hub. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHold, type Mishap, type ModelHub, startModelHub } from '../../support/model-hub.js';
import { meanOf, tinyModelFiles } from '../../support/tiny-model.js';
import { letWorkRun, until } from '../../support/turns.js';
import { DIMENSIONS, expectVector, newFolder, openEmbedder, type TestEmbedder } from './test-local.js';

const WEIGHTS = 'onnx/model_quantized.onnx';
const FILES = tinyModelFiles({ pooling: { pooling_mode_mean_tokens: true } });
const CAT = [...meanOf(['[CLS]', 'cat', '[SEP]']), ...Array.from({ length: DIMENSIONS - 6 }, () => 0)];
const COMPLETE = /is complete/;
const FAILED = /cannot be downloaded/;
const RETRY_MS = 15_000;
const LONGEST_WAIT_MS = 600_000;

/** Opens an embedder on an empty folder, or on the folder of an earlier embedder. */
async function openFrom(hub: ModelHub, folder = newFolder()): Promise<TestEmbedder & { folder: string }> {
  return { ...(await openEmbedder({ hubUrl: hub.url, folder })), folder };
}

/** Opens an embedder and waits until its first download attempt has failed. */
async function openFailing(hub: ModelHub, folder = newFolder()) {
  const opened = await openFrom(hub, folder);
  await opened.log.next(FAILED);
  return opened;
}

/** Opens an embedder and waits until its first download attempt is cut off in the middle of the weights. */
async function openAndCut(hub: ModelHub, afterBytes: number, ...later: Mishap[]) {
  const hold = createHold(afterBytes, 'cut');
  hub.fail(WEIGHTS, hold, ...later);
  const opened = await openFrom(hub);
  await hold.reached.pass();
  await untilArrived(opened.folder, afterBytes);
  const failed = opened.log.next(FAILED);
  hold.gate.open();
  await failed;
  return opened;
}

/** Advances the clock until another attempt is due, and sends a query, which fails and starts the attempt. */
async function tryAgain({ embedder, clock, log }: TestEmbedder, outcome = COMPLETE): Promise<string> {
  clock.advance(RETRY_MS);
  const line = log.next(outcome);
  await expect(embedder.embed(['cat'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
  return line;
}

/** Expects every file of the hub, and the manifest that lists the files. */
function expectComplete(folder: string, files = FILES): void {
  const modelFolder = join(folder, 'acme', 'tiny');
  expect(filesIn(modelFolder).filter(path => !path.endsWith('.part'))).toEqual(
    [...files.keys(), 'engraph-model.json'].sort(),
  );
  for (const [path, content] of files) expect(readFileSync(join(modelFolder, path))).toEqual(content);
}

async function expectWorking({ embedder }: TestEmbedder): Promise<void> {
  expectVector((await embedder.embed(['cat'], 'document'))[0], CAT);
}

function partsIn(folder: string): string[] {
  return filesIn(folder).filter(path => path.endsWith('.part'));
}

async function untilArrived(folder: string, bytes: number): Promise<void> {
  await until(() => partsIn(folder).some(path => statSync(join(folder, path)).size === bytes));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

describe('a download', () => {
  test('gets all files, writes the manifest, and logs its progress', async () => {
    const hub = await startModelHub(FILES);
    const opened = await openFrom(hub);
    await opened.log.next(COMPLETE);
    expectComplete(opened.folder);
    const folder = join(opened.folder, 'acme', 'tiny');
    const manifest = JSON.parse(readFileSync(join(folder, 'engraph-model.json'), 'utf8'));
    expect(manifest).toMatchObject({ model: 'acme/tiny', weights: WEIGHTS });
    expect(manifest.files).toContainEqual({
      path: WEIGHTS,
      sizeBytes: FILES.get(WEIGHTS)?.length,
      sha256: createHash('sha256')
        .update(FILES.get(WEIGHTS) ?? '')
        .digest('hex'),
    });
    expect(opened.log.lines[0]).toMatch(/^info: downloading the local model acme\/tiny to .*: 0 % of 0\.\d MiB$/);
    expect(opened.log.lines.at(-1)).toBe('info: the local model acme/tiny is complete');
  });

  test('is not repeated: the next start needs no hub', async () => {
    const hub = await startModelHub(FILES);
    const { folder, log } = await openFrom(hub);
    await log.next(COMPLETE);
    await hub.stop();
    const again = await openFrom(hub, folder);
    await expectWorking(again);
    expect(again.log.lines).toEqual([expect.stringContaining('runs on WebAssembly')]);
  });

  test('uses full weights if there are no quantised ones', async () => {
    const files = tinyModelFiles({ weights: 'onnx/model.onnx' });
    const opened = await openFrom(await startModelHub(files));
    await opened.log.next(COMPLETE);
    expectComplete(opened.folder, files);
  });

  test('makes embedding fail as unavailable, with its progress in the error, until it is complete', async () => {
    const hub = await startModelHub(FILES);
    const hold = createHold(100);
    hub.fail(WEIGHTS, hold);
    const { embedder, log } = await openFrom(hub);
    await hold.reached.pass();
    await expect(embedder.embed(['cat'], 'query')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The local model acme\/tiny is being downloaded \(\d+ % of 0\.\d MiB\)$/),
    });
    const complete = log.next(COMPLETE);
    hold.gate.open();
    await complete;
  });

  test('of a file without a checksum is verified by size, and the log says so', async () => {
    const hub = await startModelHub(FILES);
    hub.put(WEIGHTS, FILES.get(WEIGHTS) ?? Buffer.of(), { hasChecksum: false });
    const opened = await openFrom(hub);
    await opened.log.next(COMPLETE);
    expectComplete(opened.folder);
    expect(opened.log.lines).toContainEqual(`warn: the hub gives no checksum of ${WEIGHTS}: only its size is checked`);
  });
});

describe('a download that fails', () => {
  test('resumes where the connection ended', async () => {
    const hub = await startModelHub(FILES);
    const opened = await openAndCut(hub, 200);
    expect(opened.log.lines.at(-1)).toContain(`the connection ended in the middle of ${WEIGHTS}`);
    await tryAgain(opened);
    expectComplete(opened.folder);
    expect(hub.requests.filter(request => request.startsWith(WEIGHTS))).toEqual([WEIGHTS, `${WEIGHTS} 200-`]);
    // The small files are not requested again, because they were complete.
    expect(hub.requests.filter(request => request === 'tokenizer.json')).toHaveLength(1);
    expect(partsIn(opened.folder)).toEqual([]);
  });

  test('restarts from the beginning if the server does not support ranges', async () => {
    const hub = await startModelHub(FILES);
    const opened = await openAndCut(hub, 200, 'whole');
    await tryAgain(opened);
    expectComplete(opened.folder);
    expect(hub.requests.at(-1)).toBe(`${WEIGHTS} 200-`);
  });

  test('restarts from the beginning if the file on the hub has changed', async () => {
    const hub = await startModelHub(FILES);
    const opened = await openAndCut(hub, 200);
    hub.put(WEIGHTS, tinyModelFiles({ hasTokenTypes: true }).get(WEIGHTS) ?? Buffer.of());
    await tryAgain(opened);
    expect(hub.requests.at(-1)).toBe(WEIGHTS);
    expect(partsIn(opened.folder)).toEqual([]);
  });

  test('because the hub is busy is repeated', async () => {
    const hub = await startModelHub(FILES);
    hub.fail(WEIGHTS, 'busy');
    const opened = await openFailing(hub);
    expect(opened.log.lines.at(-1)).toContain(`the hub answered with status 503 for ${WEIGHTS}`);
    await tryAgain(opened);
    expectComplete(opened.folder);
  });

  test('because of a wrong checksum keeps no part of the file, and restarts from the beginning', async () => {
    const hub = await startModelHub(FILES);
    hub.fail(WEIGHTS, 'corrupt');
    const opened = await openFailing(hub);
    expect(opened.log.lines.at(-1)).toContain(`${WEIGHTS} arrived with a wrong checksum`);
    expect(filesIn(opened.folder).filter(path => path.includes('onnx'))).toEqual([]);
    await tryAgain(opened);
    expectComplete(opened.folder);
    expect(hub.requests.filter(request => request.startsWith(WEIGHTS))).toEqual([WEIGHTS, WEIGHTS]);
  });

  test('because of a wrong checksum of a small file logs the name of this file', async () => {
    const hub = await startModelHub(FILES);
    hub.fail('config.json', 'corrupt');
    const { log } = await openFailing(hub);
    expect(log.lines.at(-1)).toContain('config.json arrived with a wrong checksum');
  });

  test('because the model does not exist is logged once', async () => {
    const hub = await startModelHub();
    const opened = await openFailing(hub);
    expect(opened.log.lines).toEqual([
      expect.stringContaining('acme/tiny/resolve/main/config.json does not exist (404)'),
    ]);
  });

  test('because the model has no weights names the missing files', async () => {
    const hub = await startModelHub(FILES);
    hub.remove(WEIGHTS);
    const { log } = await openFailing(hub);
    expect(log.lines.at(-1)).toContain('neither onnx/model_quantized.onnx nor onnx/model.onnx exists');
  });

  test('because the machine is offline is logged once, and succeeds when the hub is back', async () => {
    const hub = await startModelHub(FILES);
    await hub.stop();
    const opened = await openFailing(hub);
    const { embedder, clock, log } = opened;
    for (let attempt = 0; attempt < 5; attempt++) {
      clock.advance(LONGEST_WAIT_MS);
      await expect(embedder.embed(['cat'], 'document')).rejects.toThrow(
        'could not be downloaded and is tried again later',
      );
      await letWorkRun();
    }
    expect(log.lines).toEqual([
      expect.stringMatching(/^warn: the local model acme\/tiny cannot be downloaded: .*ECONNREFUSED.*HF_ENDPOINT/),
    ]);
    await hub.restart();
    await until(async () => {
      clock.advance(LONGEST_WAIT_MS);
      await embedder.embed(['cat'], 'query').catch(() => {});
      return log.lines.some(line => COMPLETE.test(line));
    });
    expectComplete(opened.folder);
  });

  test('is repeated after longer and longer waits', async () => {
    const hub = await startModelHub();
    const { embedder, clock } = await openFailing(hub);
    const attemptsAfter = async (durationMs: number) => {
      clock.advance(durationMs);
      const before = hub.questions;
      await embedder.embed(['cat'], 'query').catch(() => {});
      await embedder.embed(['cat'], 'query').catch(() => {});
      await letWorkRun(200);
      return hub.questions - before;
    };
    expect(await attemptsAfter(14_999)).toBe(0);
    expect(await attemptsAfter(1)).toBe(1);
    expect(await attemptsAfter(29_999)).toBe(0);
    expect(await attemptsAfter(1)).toBe(1);
    expect(await attemptsAfter(LONGEST_WAIT_MS)).toBe(1);
  });
});

describe('partly downloaded files', () => {
  const target = join('acme', 'tiny', WEIGHTS);
  const content = FILES.get(WEIGHTS) ?? Buffer.of();
  const version = createHash('sha256').update(content).digest('hex').slice(0, 16);

  /** Creates a folder of a model without its manifest and weights, but with a part of the weights. */
  async function folderWithPart(hub: ModelHub, suffix: string): Promise<string> {
    const { folder, log, embedder } = await openFrom(hub);
    await log.next(COMPLETE);
    await embedder.close();
    rmSync(join(folder, 'acme', 'tiny', 'engraph-model.json'));
    rmSync(join(folder, target));
    writeFileSync(join(folder, `${target}.${suffix}.part`), content.subarray(0, 300));
    hub.requests.length = 0;
    return folder;
  }

  test('of an earlier attempt are resumed', async () => {
    const hub = await startModelHub(FILES);
    const opened = await openFrom(hub, await folderWithPart(hub, version));
    await opened.log.next(COMPLETE);
    expectComplete(opened.folder);
    expect(hub.requests).toEqual([`${WEIGHTS} 300-`]);
    expect(partsIn(opened.folder)).toEqual([]);
  });

  test('of another version are not resumed, and are removed', async () => {
    const hub = await startModelHub(FILES);
    const opened = await openFrom(hub, await folderWithPart(hub, '0123456789abcdef'));
    await opened.log.next(COMPLETE);
    expectComplete(opened.folder);
    expect(hub.requests).toEqual([WEIGHTS]);
    expect(partsIn(opened.folder)).toEqual([]);
  });
});

describe('two parallel downloads to one folder', () => {
  test('both succeed with correct files', async () => {
    const hub = await startModelHub(FILES);
    const holds = [createHold(150), createHold(250)];
    hub.fail(WEIGHTS, ...holds);
    const folder = newFolder();
    const both = [await openFrom(hub, folder), await openFrom(hub, folder)];
    const complete = both.map(({ log }) => log.next(COMPLETE));
    for (const { reached } of holds) await reached.pass();
    for (const { gate } of holds) gate.open();
    await Promise.all(complete);
    expectComplete(folder);
    expect(readFileSync(join(folder, 'acme', 'tiny', WEIGHTS))).toEqual(FILES.get(WEIGHTS));
  });
});

describe('closing', () => {
  test('ends a download, which the next start resumes', async () => {
    const hub = await startModelHub(FILES);
    const hold = createHold(400);
    hub.fail(WEIGHTS, hold);
    const { embedder, log, folder } = await openFrom(hub);
    await hold.reached.pass();
    await untilArrived(folder, 400);
    await embedder.close();
    expect(log.lines.filter(line => line.startsWith('warn'))).toEqual([]);
    await expect(embedder.embed(['cat'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    const again = await openFrom(hub, folder);
    await again.log.next(COMPLETE);
    expectComplete(again.folder);
    expect(hub.requests.at(-1)).toBe(`${WEIGHTS} 400-`);
  });
});
