/** Builds consolidation for one process from the parts of the engine. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.js';
import { type Consolidation, startConsolidation } from '../consolidation/consolidation.js';
import { messageOf } from '../domain/errors.js';
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import type { LanguageModel } from '../language-model/language-model.js';
import type { Logger } from '../log.js';
import type { Places } from '../places.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import { createJudge } from '../replacement/judge.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { VectorStore } from '../stores/vector-store.js';
import type { Workers } from './workers.js';

export interface ConsolidatingParts {
  config: Pick<Config, 'consolidation'>;
  graph: GraphStore;
  vectors: VectorStore;
  projection: VectorProjection;
  embedder: Embedder;
  workers: Workers;
  languageModel: LanguageModel | undefined;
  places: Pick<Places, 'afterRequests'>;
  clock: Clock;
  log: Logger;
}

export function consolidationOf(parts: ConsolidatingParts): Consolidation {
  const { config, embedder, workers, languageModel, log } = parts;
  const notify = (count: number) => workers.embed.notify(count);
  return startConsolidation({
    ...parts,
    settings: config.consolidation,
    models: [embedder.model, SUPPLIED_EMBEDDING],
    judge: createJudge(embedder),
    random: Math.random,
    newId: randomUUID,
    afterRequests: parts.places.afterRequests,
    ...(languageModel && {
      wordGroup: (texts, targetLength) =>
        languageModel.describeGroup(texts, targetLength).catch(error => {
          log.warn(`the language model failed, so groups are described without it: ${messageOf(error)}`);
          return undefined;
        }),
    }),
    onRemoved: notify,
    onRestored: notify,
    onFailure: (undertaking, error) =>
      log.warn(`consolidation: ${undertaking} failed and will be tried again later: ${messageOf(error)}`),
  });
}
