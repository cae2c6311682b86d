/** The choice of a provider, and its explanation. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.js';
import { createEmbedder } from '../../src/embedding/providers.js';
import { createManualClock } from '../support/manual-clock.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { KEY, open } from './test-providers.js';

const VOYAGE = { VOYAGE_API_KEY: KEY };
const OPENAI = { OPENAI_API_KEY: KEY };
const OLLAMA = { OLLAMA_MODEL: 'nomic-embed-text' };
const OLLAMA_AT = { OLLAMA_BASE_URL: 'http://127.0.0.1:11434' };

describe('EMBEDDING_PROVIDER=auto', () => {
  test.each([
    [{ ...VOYAGE, ...OPENAI, ...OLLAMA }, 'voyage:voyage-4:1024', 'VOYAGE_API_KEY is set'],
    [{ ...OPENAI, ...OLLAMA }, 'openai:text-embedding-3-small:1024', 'OPENAI_API_KEY is set'],
    [OLLAMA, 'ollama:nomic-embed-text:768', 'OLLAMA_BASE_URL or OLLAMA_MODEL is set'],
    [OLLAMA_AT, 'ollama:nomic-embed-text:768', 'OLLAMA_BASE_URL or OLLAMA_MODEL is set'],
  ])('with %j chooses %s', async (env, model, reason) => {
    for (const provider of ['auto', '']) {
      const chosen = await open({ VECTOR_SIZE: '1024', EMBEDDING_PROVIDER: provider, ...env });
      expect([chosen.embedder.model, chosen.reason]).toEqual([model, reason]);
    }
  });

  test('skips a provider that cannot make vectors of VECTOR_SIZE, and gives this as a reason', async () => {
    const chosen = await open({ VECTOR_SIZE: '128', ...VOYAGE, ...OPENAI });
    expect(chosen.embedder.model).toBe('openai:text-embedding-3-small:128');
    expect(chosen.reason).toMatch(
      /^OPENAI_API_KEY is set; voyage \(voyage-4\) makes vectors of 256 dimensions, more than/,
    );
  });

  test('logs its choice', async () => {
    const said: string[] = [];
    const log = { info: (message: string) => said.push(message), warn: () => {} };
    await createEmbedder(loadConfig(OPENAI).embedding, { log, clock: createManualClock() });
    expect(said).toEqual([
      'embeddings: openai text-embedding-3-small (1024 dimensions), because OPENAI_API_KEY is set',
    ]);
  });
});

describe('EMBEDDING_PROVIDER=auto without a configured provider', () => {
  const MODEL = 'Xenova/all-MiniLM-L6-v2';
  const MULTILINGUAL = 'Xenova/multilingual-e5-small';
  const openWithHub = async (hub: ModelServer, env: Record<string, string> = {}) => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    return open({ VECTOR_SIZE: '384', ENGRAPH_DATA_DIR: folder.path, HF_ENDPOINT: hub.url, ...env });
  };

  test('chooses the local model if it is available', async () => {
    const hub = await startModelServer();
    hub.on(`/${MODEL}/resolve/main/config.json`, { headers: { 'content-length': '10' }, text: '0123456789' });
    const { embedder, reason } = await openWithHub(hub);
    expect(embedder.model).toBe(`local:${MODEL}`);
    expect(reason).toMatch(`no provider is set up; the local model ${MODEL}: can be downloaded from 127.0.0.1`);
  });

  test('chooses the multilingual model only on request, by its short or its full name', async () => {
    const hub = await startModelServer();
    for (const model of [MODEL, MULTILINGUAL])
      hub.on(`/${model}/resolve/main/config.json`, { headers: { 'content-length': '10' }, text: '0123456789' });
    for (const name of ['multilingual', 'Multilingual', MULTILINGUAL]) {
      const { embedder, reason } = await openWithHub(hub, { LOCAL_EMBEDDING_MODEL: name });
      expect(embedder.model).toBe(`local:${MULTILINGUAL}`);
      expect(embedder.unrelatedSimilarity).toBe(0.7);
      expect(reason).toContain(`the local model ${MULTILINGUAL}: can be downloaded`);
    }
  });

  test('refuses a VECTOR_SIZE that is too small for the requested multilingual model', async () => {
    const env = { LOCAL_EMBEDDING_MODEL: 'multilingual', EMBEDDING_PROVIDER: 'local', VECTOR_SIZE: '383' };
    await expect(openWithHub(await startModelServer(), env)).rejects.toThrow('set VECTOR_SIZE=384');
  });

  test.each([
    ['the hub cannot be reached', async (hub: ModelServer) => hub.stop(), /not on disk, and cannot be downloaded/],
    ['the hub does not have the local model', async () => {}, /not on disk, and .* does not have it/],
  ])('chooses hash when %s', async (_, prepare, message) => {
    const hub = await startModelServer();
    await prepare(hub);
    const { embedder, reason } = await openWithHub(hub);
    expect(embedder.model).toBe('hash-v3-384');
    expect(reason).toMatch(message);
  });

  test('chooses hash when the local model is invalid', async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const { embedder, reason } = await open({ LOCAL_EMBEDDING_PATH: folder.path });
    expect(embedder.model).toBe('hash-v3-8');
    expect(reason).toContain('LOCAL_EMBEDDING_PATH');
  });
});

describe('a requested provider', () => {
  test('is chosen even if other providers have keys', async () => {
    const { embedder, reason } = await open({ EMBEDDING_PROVIDER: 'hash', ...VOYAGE, ...OPENAI });
    expect([embedder.model, reason]).toEqual(['hash-v3-8', 'EMBEDDING_PROVIDER=hash']);
    expect((await open({ EMBEDDING_PROVIDER: 'OpenAI', ...VOYAGE, ...OPENAI })).embedder.model).toMatch(/^openai:/);
  });

  test.each([
    ['openai', 'EMBEDDING_PROVIDER=openai needs OPENAI_API_KEY'],
    ['voyage', 'EMBEDDING_PROVIDER=voyage needs VOYAGE_API_KEY'],
  ])('requires its key: %s', async (provider, message) => {
    await expect(open({ EMBEDDING_PROVIDER: provider })).rejects.toMatchObject({ code: 'invalid', message });
  });

  test.each([
    [{ EMBEDDING_PROVIDER: 'ollama', VECTOR_SIZE: '512' }, 'ollama (nomic-embed-text)', 768],
    [{ EMBEDDING_PROVIDER: 'ollama', OLLAMA_MODEL: 'bge-m3', VECTOR_SIZE: '768' }, 'ollama (bge-m3)', 1024],
    [{ EMBEDDING_PROVIDER: 'openai', EMBEDDING_MODEL: 'text-embedding-ada-002', ...OPENAI }, 'openai (text-', 1536],
    [{ EMBEDDING_PROVIDER: 'voyage', VECTOR_SIZE: '255', ...VOYAGE }, 'voyage (voyage-4)', 256],
  ])('that cannot fit VECTOR_SIZE is refused; the error names the size to set: %j', async (env, who, dimensions) => {
    const error = await open({ VECTOR_SIZE: '1024', ...env }).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining(who) });
    expect(error).toMatchObject({ message: expect.stringContaining(`set VECTOR_SIZE=${dimensions}`) });
  });
});

describe('settings', () => {
  test.each([
    [{ EMBEDDING_PROVIDER: 'magic' }, 'EMBEDDING_PROVIDER must be one of auto, openai, voyage, ollama, local, hash'],
    [{ EMBEDDING_TIMEOUT_SECONDS: '0' }, 'EMBEDDING_TIMEOUT_SECONDS must be a number of 0.01 to 3600'],
    [{ EMBEDDING_TIMEOUT_SECONDS: '1e9' }, 'EMBEDDING_TIMEOUT_SECONDS must be a number of 0.01 to 3600'],
    [{ EMBEDDING_MAX_RETRIES: '-1' }, 'EMBEDDING_MAX_RETRIES must be a whole number of 0 to 10'],
    [{ OPENAI_BASE_URL: 'localhost:1234' }, 'OPENAI_BASE_URL must be an address such as'],
    [{ OLLAMA_BASE_URL: '0.0.0.0' }, 'OLLAMA_BASE_URL must be an address such as'],
    [
      { OPENAI_BASE_URL: 'https://me:secret@example.com/v1' },
      'OPENAI_BASE_URL must not contain a user name or password',
    ],
    [{ HF_ENDPOINT: 'file:///models' }, 'HF_ENDPOINT must be an address such as'],
  ])('are refused with an error that names them if they are invalid: %j', (env, message) => {
    expect(() => loadConfig(env)).toThrow(ConfigError);
    expect(() => loadConfig(env)).toThrow(message);
  });
});
