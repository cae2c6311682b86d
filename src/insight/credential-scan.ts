/** Reads memories page by page, and finds those whose content seems to contain a credential. */
import { type FoundCredential, findCredentials } from '../credentials.js';
import type { CredentialFinding, CredentialPage, CredentialScanRequest } from '../domain/credentials.js';
import { yieldToEventLoop } from '../event-loop.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';

const READ_AT_ONCE = 50;
/** Checking a thousand characters takes a few tenths of a millisecond, during which nothing else runs. */
const CHARACTERS_PER_TURN = 10_000;
/** A page of long contents ends early, so that a request stays short. */
const CHARACTERS_PER_PAGE = 1_000_000;
const EXCERPT_LENGTH = 60;

/** Includes archived memories, which keep their content. The next page begins after the last memory that was read. */
export async function scanForCredentials(
  graph: Pick<MemoryStore, 'readRecords'>,
  { afterId, limit }: CredentialScanRequest,
): Promise<CredentialPage> {
  const findings: CredentialFinding[] = [];
  let last = afterId;
  let scannedCount = 0;
  let characters = 0;
  let sinceYield = 0;
  while (scannedCount < limit && characters < CHARACTERS_PER_PAGE) {
    const asked = Math.min(READ_AT_ONCE, limit - scannedCount);
    const records = await graph.readRecords({ ...(last !== undefined && { afterId: last }), limit: asked });
    for (const { memory } of records) {
      const found = await findCredentials(memory.content, yieldToEventLoop);
      if (found.length > 0) findings.push(await toFinding(memory.id, memory.content, found));
      characters += memory.content.length;
      sinceYield += memory.content.length;
      if (sinceYield < CHARACTERS_PER_TURN) continue;
      sinceYield = 0;
      await yieldToEventLoop();
    }
    scannedCount += records.length;
    last = records.at(-1)?.memory.id ?? last;
    if (records.length < asked) return { findings, scannedCount };
  }
  return { findings, scannedCount, ...(last !== undefined && { next: last }) };
}

async function toFinding(id: string, content: string, found: readonly FoundCredential[]): Promise<CredentialFinding> {
  const [first] = [...found].sort((a, b) => a.start - b.start);
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const before = await wordsBefore(content, first?.start ?? 0);
  return { id, kinds, excerpt: [...before, `[${first?.kind}]`].join(' ') };
}

/** The last words before the word that has the secret. */
async function wordsBefore(content: string, start: number): Promise<string[]> {
  const words = content
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
  // A rule that reports its place wrongly must not make the secret a part of the answer.
  const isSafe = (await findCredentials(shown.join(' '), yieldToEventLoop)).length === 0;
  return isSafe ? shown : ['…'];
}
