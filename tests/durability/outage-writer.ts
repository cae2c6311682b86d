/** A client that keeps writing during outages of the graph, and records the answer to each request. */
import type { Ledger } from './ledger.js';
import type { Random } from './random.js';
import { type Fields, nextRequest, stateOf, TAG } from './writer.js';

const PAGE_SIZE = 200;

export interface Edge {
  from: string;
  to: string;
}

export interface OutageWriter {
  call(route: string, json?: unknown): Promise<{ status: number; body: { error?: string } }>;
  ledger: Ledger;
  random: Random;
  round: number;
  /** Edges whose creation was acknowledged. Deleting a memory at either end also deletes the edge. */
  edges: Edge[];
  /** Failed answers that do not report an outage of the graph. */
  faults: string[];
  isOver(): boolean;
}

/**
 * Sends one write after another until it is told to stop. After a write that is not acknowledged, the writer no longer
 * changes the memories of this write.
 */
export async function writeThroughOutages(writer: OutageWriter): Promise<void> {
  const own = new Map<string, Fields>();
  while (!writer.isOver()) {
    // Yield to the event loop, because requests that are refused without any I/O would leave no time for other work.
    await new Promise(resolve => setImmediate(resolve));
    if (own.size > 1 && writer.random.next() < 0.15) {
      await associateTwo(writer, [...own.keys()]);
      continue;
    }
    const { method, path, body, changes } = nextRequest(own, writer.round, writer.random);
    const acknowledge = writer.ledger.begin(changes);
    const { status, body: answer } = await writer.call(`${method} ${path}`, body);
    if (status < 300) acknowledge();
    else for (const id of changes.keys()) own.delete(id);
    note(writer, `${method} ${path}`, status, answer);
  }
}

async function associateTwo(writer: OutageWriter, ids: readonly string[]): Promise<void> {
  const [from, to] = [writer.random.pick(ids) as string, writer.random.pick(ids) as string];
  if (from === to) return;
  const edge = { memory1_id: from, memory2_id: to, type: 'LEADS_TO', strength: 0.9 };
  const { status, body } = await writer.call('POST /associate', edge);
  if (status < 300) writer.edges.push({ from, to });
  note(writer, 'POST /associate', status, body);
}

function note({ faults }: OutageWriter, what: string, status: number, { error = '' }: { error?: string }): void {
  if (status < 300 || (status === 503 && error.includes('FalkorDB at '))) return;
  faults.push(`${what} answered ${status}: ${error}`);
}

/** The state of every memory that the clients wrote, by id. */
export async function readAllStates({ call }: Pick<OutageWriter, 'call'>): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { status, body } = await call(`GET /memory/by-tag?tags=${TAG}&limit=${PAGE_SIZE}&offset=${offset}`);
    if (status !== 200) throw new Error(`by-tag answered ${status}`);
    const page = body as { memories?: (Fields & { id: string })[]; has_more?: boolean };
    for (const memory of page.memories ?? []) states.set(memory.id, stateOf(memory));
    if (!page.has_more) return states;
  }
}
