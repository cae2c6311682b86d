/** Builds payloads of vectors from the few facts that a test gives. */

import { payloadOf, type VectorPayload } from '../../src/domain/filter.js';
import { tagPrefixes } from '../../src/domain/tags.js';
import { toIso } from '../../src/domain/time.js';
import { memory, NOON } from './records.js';

export interface PayloadFacts {
  tags?: readonly string[];
  timestampMs?: number;
  model?: string;
  isArchived?: boolean;
  validFromMs?: number;
  validToMs?: number;
}

export function vectorPayload(facts: PayloadFacts = {}): VectorPayload {
  const { tags = [], timestampMs = NOON, model = 'm', isArchived = false, validFromMs, validToMs } = facts;
  const bounds = {
    ...(validFromMs !== undefined && { t_valid: toIso(validFromMs) }),
    ...(validToMs !== undefined && { t_invalid: toIso(validToMs) }),
  };
  const record = memory(1, { timestamp: toIso(timestampMs), ...bounds });
  return payloadOf({ ...record, tags: [...tags], tag_prefixes: tagPrefixes(tags), archived: isArchived }, model);
}
