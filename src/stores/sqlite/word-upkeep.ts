/**
 * Writes the words of all memories again after a change of the text analyzer. The table of facts contains the version
 * that words are written with, and the last row that was written again, or NULL when no row is left.
 */
import type { Metadata } from '../../domain/json.js';
import { tagPrefixes } from '../../domain/tags.js';
import { ANALYZER_VERSION } from '../../domain/versions.js';
import type { Connection } from '../database/connection.js';
import type { OutdatedWords, RewrittenPage, WordUpkeep } from '../graph-store.js';
import type { Write } from './node-store.js';
import { countMemoriesAfter } from './tag-blocks.js';
import { rewriteWords } from './word-rows.js';

/**
 * Makes all words outdated if another version of the analyzer, older or newer, wrote the last words of the file. Must
 * be called before the first write.
 */
export function noteAnalyzer(connection: Connection): void {
  const { version } = connection.get<{ version: number }>('SELECT analyzer_version AS version FROM facts') ?? {};
  if (version === ANALYZER_VERSION) return;
  const rewrittenRow = 'iif(EXISTS (SELECT 1 FROM memories), 0, NULL)';
  connection.run(`UPDATE facts SET analyzer_version = ?, rewritten_row = ${rewrittenRow}`, ANALYZER_VERSION);
}

/** Implements the port `WordUpkeep`. */
export function wordUpkeep(connection: Connection, write: Write): WordUpkeep {
  return {
    countOutdatedWords: async () => countOutdated(connection),
    rewriteOutdatedWords: ({ limit }) => write(() => rewritePage(connection, limit), []),
  };
}

function countOutdated(connection: Connection): OutdatedWords {
  const row = rewrittenRow(connection);
  return { outdatedCount: row === undefined ? 0 : countMemoriesAfter(connection, row), hasNewer: false };
}

/** A loss of power may undo the last pages. Their words are then written again. */
function rewritePage(connection: Connection, limit: number): RewrittenPage {
  return connection.relaxedTransaction(() => {
    const after = rewrittenRow(connection);
    if (after === undefined) return { rewrittenCount: 0 };
    const rows = connection.all<{ row: number; content: string; tags: string; metadata: string }>(
      'SELECT row, content, tags, metadata FROM memories WHERE row > ? ORDER BY row LIMIT ?',
      after,
      limit,
    );
    for (const { row, content, ...texts } of rows) {
      const tags = JSON.parse(texts.tags) as string[];
      const metadata = JSON.parse(texts.metadata) as Metadata;
      rewriteWords(connection, row, { content, tags, tag_prefixes: tagPrefixes(tags), metadata });
    }
    const next = rows.length < limit ? undefined : rows.at(-1)?.row;
    connection.run('UPDATE facts SET rewritten_row = ?', next ?? null);
    return { rewrittenCount: rows.length, ...(next !== undefined && { next }) };
  });
}

function rewrittenRow(connection: Connection): number | undefined {
  return connection.get<{ row: number | null }>('SELECT rewritten_row AS row FROM facts')?.row ?? undefined;
}
