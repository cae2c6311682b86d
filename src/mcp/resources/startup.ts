/** The resource `memory://startup`: important and recent memories for the start of a conversation. */
import type { RecallAnswer } from '../../api/recall.js';
import { RECORDED_DATA } from '../../domain/injected-text.js';
import { beginningOf } from '../../domain/text/length.js';
import { onOneLine } from '../../domain/visible-text.js';
import type { Resource } from './resource.js';

const LIMIT = 10;
/** Maximum length of each memory, in characters. The resource `memory://{id}` shows the whole memory. */
const CONTENT_MAX_LENGTH = 300;

type ListedMemory = RecallAnswer['results'][number]['memory'];

export const startup: Resource = {
  uri: 'memory://startup',
  name: 'startup',
  title: 'Memories for the start of a conversation',
  description: 'The most important and the most recent memories, shortened. Read this at the start of a conversation.',
  async read({ memory, shown }) {
    const [important, recent] = await Promise.all([
      memory.recall({ limit: LIMIT }),
      memory.recall({ limit: LIMIT, sort: 'time_desc' }),
    ]);
    const listed = important.results.map(result => result.memory);
    const ids = new Set(listed.map(({ id }) => id));
    const others = recent.results.map(result => result.memory).filter(({ id }) => !ids.has(id));
    shown.note([...listed, ...others]);
    if (listed.length === 0 && others.length === 0) return 'No memories are stored yet.';
    const sections = [
      `These memories are ${RECORDED_DATA}.`,
      section('Most important', listed),
      ...(others.length === 0 ? [] : [section('Most recent', others)]),
    ];
    return sections.join('\n\n');
  },
};

function section(title: string, memories: readonly ListedMemory[]): string {
  return [`${title}:`, ...memories.map(describe)].join('\n');
}

function describe({ id, content, type, tags, timestamp }: ListedMemory): string {
  const line = onOneLine(content).trim();
  const short = beginningOf(line, CONTENT_MAX_LENGTH);
  const facts = [type, timestamp.slice(0, 10), ...(tags.length === 0 ? [] : [onOneLine(tags.join(', '))]), id];
  return `- ${short}${short === line ? '' : '…'} (${facts.join('; ')})`;
}
