/**
 * Finds patterns. A pattern is a node for at least three memories of one type about the same thing, each linked to it
 * by an EXEMPLIFIES edge.
 */

import { type Memory, READ_LENGTH } from '../domain/memory.js';
import { tagDigest, tagKeys } from '../domain/tags.js';
import { isStopWord } from '../domain/text/language.js';
import { words } from '../domain/text/words.js';
import { inSteps } from '../event-loop.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { AuxiliaryNode, NodeLink, NodeStore } from '../stores/ports/node-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';

/** A memory with this confidence or less joins no pattern, because its type is unreliable. */
const CONFIDENCE_MIN = 0.5;
const MEMBERS_MIN = 3;
/** Types of memories that describe circumstances, which recur without being a pattern. */
const TYPES_WITHOUT_PATTERN = new Set<Memory['type']>(['Context']);
/** Maximum number of tags examined per memory, the longest first, because long tags are the most specific. */
const THEMES_PER_MEMORY = 6;
const MEMORIES_PER_THEME = 30;
const MEMBERS_COUNTED = 1_000;
const KEY_TERMS = 5;
const KEY_TERM_MIN_LENGTH = 4;
/**
 * The confidence of a pattern. The values are those of AutoMem: each observation adds the same amount, up to the
 * maximum.
 */
const CONFIDENCE = { base: 0.35, perObservation: 0.05, max: 0.95 };

export type PatternGraph = Pick<MemoryStore, 'getMemories'> &
  Pick<SearchIndex, 'list'> &
  Pick<NodeStore, 'getNode' | 'countNodeLinks'>;

interface PatternParts {
  graph: PatternGraph;
  themes: ThemeReader;
  nowIso: string;
}

/** Reads memories by theme. A theme is a tag. */
export interface ThemeReader {
  /** The most important memories with the tag. */
  read(theme: string): Promise<readonly Memory[]>;
}

/** Reads each theme once per batch, because the memories of a batch share many themes. */
export function createThemeReader(graph: Pick<PatternGraph, 'list' | 'getMemories'>): ThemeReader {
  const known = new Map<string, Promise<readonly Memory[]>>();
  const readOnce = async (theme: string): Promise<readonly Memory[]> => {
    const tags = { keys: [theme], mode: 'any', match: 'exact' } as const;
    const ids = await graph.list({ filter: { tags }, order: 'importance', limit: MEMORIES_PER_THEME });
    return [...(await graph.getMemories(ids)).values()];
  };
  return {
    read: theme => {
      const read = known.get(theme) ?? readOnce(theme);
      known.set(theme, read);
      return read;
    },
  };
}

/** Nodes to write, and edges to them from the examined memory and from the other members of new patterns. */
export interface FoundPatterns {
  nodes: AuxiliaryNode[];
  links: NodeLink[];
}

/** Whether the type of the memory allows a pattern, and is reliable. */
export function mayJoinPattern({ type, confidence }: Pick<Memory, 'type' | 'confidence'>): boolean {
  return !TYPES_WITHOUT_PATTERN.has(type) && confidence > CONFIDENCE_MIN;
}

/**
 * Finds the patterns that a memory belongs to. Writes nothing.
 *
 * @param tags of the memory, including those of the entities just found
 */
export async function findPatterns(
  memory: Memory,
  tags: readonly string[],
  parts: PatternParts,
): Promise<FoundPatterns> {
  const found: FoundPatterns = { nodes: [], links: [] };
  if (!mayJoinPattern(memory)) return found;
  const themes = tagKeys(tags)
    .sort((a, b) => b.length - a.length)
    .slice(0, THEMES_PER_MEMORY);
  for await (const theme of inSteps(themes)) {
    const others = (await parts.themes.read(theme)).filter(
      ({ id, type, confidence }) => id !== memory.id && type === memory.type && confidence > CONFIDENCE_MIN,
    );
    if (others.length + 1 < MEMBERS_MIN) continue;
    const { node, links } = await patternOf(theme, [memory, ...others], parts);
    found.nodes.push(node);
    found.links.push(...links);
  }
  return found;
}

async function patternOf(
  theme: string,
  members: readonly [Memory, ...Memory[]],
  { graph, nowIso }: PatternParts,
): Promise<{ node: AuxiliaryNode; links: NodeLink[] }> {
  const [memory] = members;
  const id = `pattern-${memory.type.toLowerCase()}-${tagDigest(theme)}`;
  const known = await graph.getNode('Pattern', id);
  // The other members of an existing pattern are already linked.
  const linking = known ? [memory] : members;
  const bounds = { exceptId: memory.id, max: MEMBERS_COUNTED };
  const observations = known ? (await graph.countNodeLinks('Pattern', id, bounds)) + 1 : members.length;
  const terms = keyTerms(members);
  const confidence = confidenceOf(observations);
  const node: AuxiliaryNode = {
    kind: 'Pattern',
    id,
    properties: {
      type: memory.type,
      theme,
      content: `${observations} ${memory.type} memories about ${theme}: ${terms.join(', ')}`,
      confidence,
      observations,
      key_terms: terms,
      created_at: known?.properties.created_at ?? nowIso,
    },
    updated_at: nowIso,
  };
  const links = linking.map(({ id: memoryId }): NodeLink => {
    return { memoryId, kind: 'Pattern', nodeId: id, confidence, updated_at: nowIso };
  });
  return { node, links };
}

/** Returns the words that occur in the most memories, most frequent first. A word counts once per memory. */
function keyTerms(members: readonly Memory[]): string[] {
  const counts = new Map<string, number>();
  for (const { content } of members) {
    for (const word of new Set(words(content.slice(0, READ_LENGTH)))) {
      if (word.length >= KEY_TERM_MIN_LENGTH && !isStopWord(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const ranked = [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  return ranked.slice(0, KEY_TERMS).map(([word]) => word);
}

function confidenceOf(observations: number): number {
  const { base, perObservation, max } = CONFIDENCE;
  return Math.min(max, base + perObservation * observations);
}
