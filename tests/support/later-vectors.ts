/** An embedding model behind a server. With such a model, memories are stored before they have vectors. */
import { createHashEmbedder } from '../../src/embedding/hash.js';
import { type ModelServer, startModelServer } from './model-server.js';

const DIMENSIONS = 64;

export interface LaterVectors {
  server: ModelServer;
  /** Settings for an engine, by the name of the environment variable. */
  settings: Record<string, string>;
}

/** Starts a model that returns the vectors of the hash embedder. The model is closed at the end of the test. */
export async function startLaterVectors(): Promise<LaterVectors> {
  const server = await startModelServer();
  const { embed } = createHashEmbedder(DIMENSIONS);
  server.on('/v1/embeddings', async ({ body }) => {
    const vectors = await embed(body.input, 'document');
    return { json: { data: vectors.map((vector, index) => ({ index, embedding: [...vector] })) } };
  });
  return {
    server,
    settings: {
      EMBEDDING_PROVIDER: 'openai',
      OPENAI_BASE_URL: `${server.url}/v1`,
      EMBEDDING_MODEL: 'hash',
      LLM_PROVIDER: 'none',
    },
  };
}
