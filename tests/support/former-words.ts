/** Reads the text index of a closed engine, and changes it to what an earlier version of the text analyzer wrote. */
import { connect as connectFile, type Connection as File } from '../../src/stores/database/connection.js';
import { connect as connectServer, type Connection as Server } from '../../src/stores/falkordb/connection.js';
import type { FalkorSettings } from '../../src/stores/falkordb/store.js';
import { sqlitePath } from '../../src/stores/sqlite/store.js';

/** The stem that the present analyzer finds in the texts of tests, and the stem that the earlier one found instead. */
export const STEMS = { present: 'harbour', former: 'harb' };

interface Stores {
  dataDir: string;
  stores?: { falkordb: Pick<FalkorSettings, 'url' | 'graph' | 'timeoutMs'> | undefined };
}

function inFile<Result>({ dataDir }: Stores, body: (file: File) => Result): Result {
  const file = connectFile(sqlitePath(dataDir));
  try {
    return body(file);
  } finally {
    file.close();
  }
}

async function inGraph<Result>({ stores }: Stores, body: (server: Server) => Promise<Result>): Promise<Result> {
  if (!stores?.falkordb) throw new Error('The memories are not in FalkorDB');
  const { url, graph, timeoutMs } = stores.falkordb;
  const server = connectServer({ url, graph, timeoutMs }, async () => {});
  try {
    return await body(server);
  } finally {
    await server.close();
  }
}

/** Every memory with its words, and in an SQLite file also every word with the number of its memories. */
export async function readIndex(config: Stores): Promise<unknown[]> {
  if (config.stores?.falkordb) {
    const statement = 'MATCH (i:_MemoryIndex) RETURN i.id AS id, i.words AS words ORDER BY i.id';
    return inGraph(config, server => server.read(statement));
  }
  return inFile(config, file => [
    ...file.all(`SELECT id, memory_text.content, memory_text.tags, memory_text.keys
      FROM memories JOIN memory_text ON memory_text.rowid = row ORDER BY id`),
    ...file.all('SELECT term, count FROM term_counts ORDER BY term'),
  ]);
}

/** @param version version of the analyzer, which an SQLite file stores */
export async function writeFormerWords(config: Stores, version = 1): Promise<void> {
  const { present, former } = STEMS;
  if (config.stores?.falkordb) {
    const words = `' ' + substring(replace(i.words, ' t${present}0 ', ' t${former}0 '), size(' z0000 '))`;
    await inGraph(config, server => server.write(`MATCH (i:_MemoryIndex) SET i.words = ${words}`));
    return;
  }
  inFile(config, file => {
    file.run('UPDATE memory_text SET content = replace(content, ?, ?)', present, former);
    file.run('UPDATE term_counts SET term = ? WHERE term = ?', former, present);
    file.run('UPDATE facts SET analyzer_version = ?, rewritten_row = NULL', version);
  });
}
