/** Reads memories page by page, and finds those that seem to contain a credential in content, tags or metadata. */
import { findCredentials, textsOf } from '../credentials.js';
import type { Memory } from '../domain/memory.js';
import type { CredentialFinding, CredentialPage, CredentialScanRequest } from '../domain/reports.js';
import { inSteps } from '../event-loop.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { AuxiliaryNode, NodeStore } from '../stores/ports/node-store.js';

const READ_AT_ONCE = 50;
/** After this many characters a page ends, even if fewer memories were read than requested, to keep requests short. */
const CHARACTERS_PER_PAGE = 1_000_000;
const EXCERPT_LENGTH = 60;

export interface CredentialScanParts {
  graph: Pick<MemoryStore, 'readRecords'> & Pick<NodeStore, 'readNodes'>;
  /** Returns the former versions in a node `MemoryHistory`. */
  formerVersions(history: AuxiliaryNode): Version[];
}

type Version = Pick<Memory, 'content' | 'tags' | 'metadata'>;

/**
 * Scans one page of memories. Archived memories and the former versions of each memory are scanned too, because they
 * are still stored. The next page begins after the last memory that was read.
 */
export async function scanForCredentials(
  parts: CredentialScanParts,
  { afterId, limit }: CredentialScanRequest,
): Promise<CredentialPage> {
  const findings: CredentialFinding[] = [];
  const formerVersionsUpTo = createFormerVersions(parts, afterId);
  let last = afterId;
  let scannedCount = 0;
  let characters = 0;
  while (scannedCount < limit && characters < CHARACTERS_PER_PAGE) {
    const asked = Math.min(READ_AT_ONCE, limit - scannedCount);
    const records = await parts.graph.readRecords({ ...from(last), limit: asked });
    const lastId = records.at(-1)?.memory.id;
    const former = lastId === undefined ? undefined : await formerVersionsUpTo(lastId);
    for await (const { memory } of inSteps(records)) {
      const present = new Set(Object.values(textsOf(memory)));
      const texts = new Set([
        ...present,
        ...(former?.get(memory.id) ?? []).flatMap(each => Object.values(textsOf(each))),
      ]);
      const finding = await findingIn(memory.id, [...texts], present);
      if (finding) findings.push(finding);
      characters += [...texts].reduce((sum, text) => sum + text.length, 0);
      scannedCount += 1;
      last = memory.id;
      if (characters >= CHARACTERS_PER_PAGE) return { findings, scannedCount, next: last };
    }
    if (records.length < asked) return { findings, scannedCount };
  }
  return { findings, scannedCount, ...(last !== undefined && { next: last }) };
}

function from(afterId: string | undefined): { afterId?: string } {
  return afterId === undefined ? {} : { afterId };
}

/**
 * Returns a function that reads the former versions of the memories up to an id. Calls must be in ascending order of
 * id. The node of a history has the id of its memory. Nodes beyond the id are kept for the next call, so each node is
 * read only once.
 */
function createFormerVersions({ graph, formerVersions }: CredentialScanParts, afterId: string | undefined) {
  let ahead: AuxiliaryNode[] = [];
  let lastRead = afterId;
  let isAtEnd = false;
  return async (lastId: string): Promise<Map<string, Version[]>> => {
    const found = new Map<string, Version[]>();
    for (;;) {
      const due = ahead.filter(({ id }) => id <= lastId);
      for (const node of due) found.set(node.id, formerVersions(node));
      ahead = ahead.slice(due.length);
      if (isAtEnd || ahead.length > 0) return found;
      ahead = await graph.readNodes('MemoryHistory', { ...from(lastRead), limit: READ_AT_ONCE });
      isAtEnd = ahead.length < READ_AT_ONCE;
      lastRead = ahead.at(-1)?.id ?? lastRead;
    }
  };
}

/** @param texts the texts of the present version first, then those of the former versions */
async function findingIn(
  id: string,
  texts: readonly string[],
  present: ReadonlySet<string>,
): Promise<CredentialFinding | undefined> {
  for (const text of texts) {
    const found = await findCredentials(text);
    const [first] = found.sort((a, b) => a.start - b.start);
    if (first === undefined) continue;
    const kinds = [...new Set(found.map(({ kind }) => kind))];
    const excerpt = [...(await wordsBefore(text, first.start)), `[${first.kind}]`].join(' ');
    return { id, kinds, excerpt, isOnlyInHistory: !present.has(text) };
  }
  return undefined;
}

/** Returns the last words before the word that contains the secret. */
async function wordsBefore(text: string, start: number): Promise<string[]> {
  const words = text
    .slice(Math.max(0, start - 2 * EXCERPT_LENGTH), start)
    .split(/\s+/)
    .slice(0, -1);
  const shown: string[] = [];
  for (let length = 0; words.length > 0; ) {
    const word = words.pop() ?? '';
    length += word.length + 1;
    if (length > EXCERPT_LENGTH) {
      shown.unshift('…');
      break;
    }
    shown.unshift(word);
  }
  // Check the words again, because they may contain the secret if a rule has reported a wrong place.
  const isSafe = (await findCredentials(shown.join(' '))).length === 0;
  return isSafe ? shown : ['…'];
}
