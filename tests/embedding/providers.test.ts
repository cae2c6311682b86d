/** The behaviour of all remote providers, through their real clients and HTTP. */
import { describe, expect, test } from 'vitest';
import { cosine, openProvider, PROVIDERS, SIZE, textsOf } from './test-providers.js';

describe.each(PROVIDERS)('$name', provider => {
  const { path, answer, name } = provider;

  test('embeds texts in order, at unit length, padded with zeros', async () => {
    const { embedder } = await openProvider(provider);
    const texts = ['text 1', 'text 20', 'text 3'];
    const vectors = await embedder.embed(texts, 'document');
    expect(vectors.map((vector, index) => cosine(texts[index] ?? '', vector))).toEqual(
      texts.map(() => expect.closeTo(1, 6)),
    );
    for (const vector of vectors) {
      expect(vector).toHaveLength(SIZE);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
      expect([...vector.slice(3)]).toEqual([0, 0, 0, 0, 0]);
    }
  });

  test('sends no request when there is nothing to embed', async () => {
    const { embedder, server } = await openProvider(provider);
    expect(await embedder.embed([], 'document')).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test('splits a batch that is too large for one request', async () => {
    const { embedder, server } = await openProvider(provider);
    const texts = Array.from({ length: provider.limit + 1 }, (_, index) => `text ${index}`);
    const vectors = await embedder.embed(texts, 'document');
    expect(server.requests.map(request => textsOf(request).length)).toEqual([provider.limit, 1]);
    expect(vectors).toHaveLength(texts.length);
    expect(cosine(`text ${provider.limit}`, vectors.at(-1))).toBeCloseTo(1, 6);
  });

  test('names its vector space after itself and the model', async () => {
    const { embedder } = await openProvider(provider);
    expect(embedder.model).toBe(`${name}:test-model`);
    expect(embedder.returned).toBeUndefined();
    await embedder.embed(['text 1'], 'query');
    expect(embedder.returned).toEqual({ dimensions: 3, isUsable: true });
  });

  test('cuts only the texts that the server finds too long', async () => {
    const { embedder, server } = await openProvider(provider);
    server.on(path, request =>
      textsOf(request).some(text => text.length > 1_000)
        ? { status: 400, json: { error: 'the input length exceeds the context length' } }
        : answer(textsOf(request).map(text => [text.length, 1])),
    );
    const vectors = await embedder.embed(['a'.repeat(900), 'b'.repeat(3_000), 'c'.repeat(1_000)], 'document');
    expect(vectors.map(([first = 0, second = 1]) => Math.round(first / second))).toEqual([900, 750, 1_000]);
  });

  test('never sends half of a surrogate pair', async () => {
    const { embedder, server } = await openProvider(provider);
    await embedder.embed([`${'x'.repeat(40_000)}`.replace(/x/g, '😀'), 'lone \uD83D 7'], 'document');
    const [cut = '', lone] = server.requests.flatMap(textsOf);
    expect(cut.length).toBeGreaterThan(30_000);
    expect([cut.isWellFormed(), lone]).toEqual([true, 'lone \uFFFD 7']);
  });

  test('aborts a request when it is closed', async () => {
    const { embedder, server } = await openProvider(provider);
    server.on(path, 'hang');
    const embedding = embedder.embed(['text'], 'document');
    await expect.poll(() => server.requests.length).toBe(1);
    await embedder.close();
    await embedder.close();
    await expect(embedding).rejects.toMatchObject({ code: 'unavailable' });
    await expect(embedder.embed(['text'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('learns the dimension of an unknown model from its first answer', async () => {
    const { embedder, server } = await openProvider(provider);
    await embedder.embed(['text 1'], 'document');
    server.on(path, answer([[1, 2, 3, 4]]));
    await expect(embedder.embed(['text 1'], 'document')).rejects.toThrow('4 dimensions instead of 3');
  });

  test('names the VECTOR_SIZE to set when an unknown model has too many dimensions', async () => {
    const { embedder, server } = await openProvider(provider);
    server.on(path, answer([Array(SIZE + 1).fill(1)]));
    const embedding = embedder.embed(['text'], 'document');
    await expect(embedding).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^\w+ \(test-model\) makes vectors of 9 .*more than VECTOR_SIZE=8: set VECTOR_SIZE=9/,
      ),
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe('openai', () => {
  const [openai] = PROVIDERS.filter(({ name }) => name === 'openai');
  if (!openai) throw new Error('no such provider');
  const openWith = (env: Record<string, string>) => openProvider(openai, env);
  const ofSize = (dimensions: number) => openai.answer([Array.from({ length: dimensions }, (_, index) => index + 1)]);

  test('requests plain numbers, and fewer dimensions from a model that supports this', async () => {
    const { embedder, server } = await openWith({ EMBEDDING_MODEL: '', VECTOR_SIZE: '1024' });
    server.on(openai.path, ofSize(1024));
    await embedder.embed(['text'], 'document');
    const [request] = server.requests;
    expect(request?.body).toEqual({
      model: 'text-embedding-3-small',
      input: ['text'],
      encoding_format: 'float',
      dimensions: 1024,
    });
    expect(request?.headers.authorization).toMatch(/^Bearer sk-/);
    expect(embedder.model).toBe('openai:text-embedding-3-small:1024');
  });

  test.each([
    ['', '1536', 'text-embedding-3-small', 1536, undefined],
    ['', '2000', 'text-embedding-3-large', 2000, 2000],
    ['', '4000', 'text-embedding-3-large', 3072, undefined],
    ['text-embedding-3-small', '2000', 'text-embedding-3-small', 1536, undefined],
    ['text-embedding-ada-002', '2000', 'text-embedding-ada-002', 1536, undefined],
    ['openai/text-embedding-3-small', '512', 'openai/text-embedding-3-small', 512, 512],
    ['other', '1024', 'other', 700, undefined],
  ])('model %j, VECTOR_SIZE=%s: uses %s of size %d', async (EMBEDDING_MODEL, VECTOR_SIZE, model, dimensions, asked) => {
    const { embedder, server } = await openWith({ EMBEDDING_MODEL, VECTOR_SIZE });
    server.on(openai.path, ofSize(dimensions));
    expect(await embedder.embed(['text'], 'query')).toHaveLength(1);
    expect([server.requests[0]?.body.model, server.requests[0]?.body.dimensions]).toEqual([model, asked]);
  });

  test.each([
    { error: { message: "Unknown parameter: 'dimensions'", type: 'invalid_request_error' } },
    { object: 'error', message: 'Model does not support matryoshka representation', code: 400 },
  ])('cuts the vectors itself when the server does not support the parameter dimensions: %j', async json => {
    const { embedder, server } = await openWith({ EMBEDDING_MODEL: 'text-embedding-3-small', VECTOR_SIZE: '4' });
    server.on(openai.path, ({ body }) => (body.dimensions === undefined ? ofSize(1536) : { status: 400, json }));
    const [vector] = await embedder.embed(['text'], 'document');
    expect(vector).toHaveLength(4);
    expect([...(vector ?? [])].map(value => value * Math.hypot(1, 2, 3, 4))).toEqual(
      [1, 2, 3, 4].map(value => expect.closeTo(value, 5)),
    );
    await embedder.embed(['text'], 'document');
    expect(server.requests.map(({ body }) => body.dimensions)).toEqual([4, undefined, undefined]);
  });

  test('needs no key for a compatible server', async () => {
    const { embedder } = await openWith({ OPENAI_API_KEY: '' });
    expect(await embedder.embed(['text 1'], 'document')).toHaveLength(1);
  });
});

describe('voyage', () => {
  const [voyage] = PROVIDERS.filter(({ name }) => name === 'voyage');
  if (!voyage) throw new Error('no such provider');

  test.each([
    ['', '1024', 'voyage-4', 1024, undefined],
    ['', '768', 'voyage-4', 512, 512],
    ['voyage-4-large', '2048', 'voyage-4-large', 2048, 2048],
    ['voyage-law-2', '2048', 'voyage-law-2', 1024, undefined],
  ])('model %j, VECTOR_SIZE=%s: uses %s of size %d', async (VOYAGE_MODEL, VECTOR_SIZE, model, dimensions, asked) => {
    const { embedder, server } = await openProvider(voyage, { VOYAGE_MODEL, VECTOR_SIZE });
    server.on(voyage.path, voyage.answer([Array(dimensions).fill(1)]));
    await embedder.embed(['a question'], 'query');
    await embedder.embed(['a memory'], 'document');
    const common = { model, truncation: true, ...(asked !== undefined && { output_dimension: asked }) };
    expect(server.requests.map(({ body }) => body)).toEqual([
      { ...common, input: ['a question'], input_type: 'query' },
      { ...common, input: ['a memory'], input_type: 'document' },
    ]);
    expect(server.requests[0]?.headers.authorization).toMatch(/^Bearer sk-/);
    expect(embedder.model).toBe(`voyage:${model}:${dimensions}`);
  });
});

describe('ollama', () => {
  const [ollama] = PROVIDERS.filter(({ name }) => name === 'ollama');
  if (!ollama) throw new Error('no such provider');

  test.each([
    ['', 'nomic-embed-text', 768, 'search_query: a', 'search_document: a'],
    ['nomic-embed-text:latest', 'nomic-embed-text', 768, 'search_query: a', 'search_document: a'],
    ['mxbai-embed-large', 'mxbai-embed-large', 1024, 'Represent this sentence for searching relevant passages: a', 'a'],
    ['all-minilm:33m', 'all-minilm:33m', 384, 'a', 'a'],
  ])(
    'adds the prefixes of model %j to questions and memories',
    async (OLLAMA_MODEL, model, dimensions, query, document) => {
      const { embedder, server } = await openProvider(ollama, { OLLAMA_MODEL, VECTOR_SIZE: '1024' });
      server.on(ollama.path, ollama.answer([Array(dimensions).fill(1)]));
      await embedder.embed(['a'], 'query');
      await embedder.embed(['a'], 'document');
      expect(server.requests.flatMap(textsOf)).toEqual([query, document]);
      expect(server.requests[0]?.body).toMatchObject({ model: OLLAMA_MODEL || model, truncate: true });
      expect(embedder.model).toBe(`ollama:${model}:${dimensions}`);
    },
  );
});
