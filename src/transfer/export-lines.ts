/** Converts pages of stored records to the lines of an export. */
import type { ExportPageAnswer } from '../api/transfer.js';
import { canonicalJson } from '../domain/canonical-json.js';
import type { TransferPart } from '../domain/transfer.js';
import { yieldToEventLoop } from '../event-loop.js';
import {
  type ExportHeader,
  type ExportState,
  endLine,
  headerLine,
  newState,
  noteRecord,
  PART_ORDER,
} from './format.js';

export interface PageQuery {
  part: TransferPart;
  limit: number;
  after?: string;
  since?: string;
}

/** Reads one page of stored records, in this process or from another process. */
export type ReadPage = (query: PageQuery) => Promise<ExportPageAnswer>;

/** Maximum number of records in one request. The service ends a page of large records earlier. */
const PAGE_SIZE = 250;
/** Number of characters that are rendered in one step. This takes a few milliseconds. */
const CHARACTERS_PER_STEP = 250_000;

export interface Lines {
  /** Complete lines with their line breaks. */
  text: string;
  state: Readonly<ExportState>;
}

/**
 * Yields all lines, at most a page at a time. Other work of the thread runs between two parts.
 *
 * @param state state of an interrupted export to resume; the lines of that export are not yielded again
 */
export async function* exportLines(
  readPage: ReadPage,
  header: ExportHeader,
  state?: ExportState,
): AsyncGenerator<Lines> {
  const current = state ?? newState();
  if (!state) yield { text: `${headerLine(header)}\n`, state: current };
  const first = current.last ? PART_ORDER.indexOf(current.last.part) : 0;
  for (const part of PART_ORDER.slice(first)) {
    const after = current.last?.part === part ? current.last.after : undefined;
    for await (const records of recordsOf(readPage, {
      part,
      ...sinceOf(header),
      ...(after !== undefined && { after }),
    })) {
      let text = '';
      for (const record of records) {
        const line = canonicalJson(record);
        noteRecord(current, line, record);
        text += `${line}\n`;
        if (text.length < CHARACTERS_PER_STEP) continue;
        yield { text, state: current };
        text = '';
        await yieldToEventLoop();
      }
      if (text !== '') yield { text, state: current };
      await yieldToEventLoop();
    }
  }
  yield { text: `${endLine(current)}\n`, state: current };
}

function sinceOf({ since }: ExportHeader): { since?: string } {
  return since === undefined ? {} : { since };
}

/** Yields the records of one part, a page at a time. */
export async function* recordsOf(
  readPage: ReadPage,
  query: Omit<PageQuery, 'limit'>,
): AsyncGenerator<ExportPageAnswer['records']> {
  let after = query.after;
  do {
    const { records, next } = await readPage({ ...query, limit: PAGE_SIZE, ...(after !== undefined && { after }) });
    yield records;
    after = next;
  } while (after !== undefined);
}
