/** Estimates whether a reply used a memory, by the words that they share. */
import type { HookSession } from '../domain/hooks.js';
import { isStopWord } from '../domain/text/language.js';
import { stem, words } from '../domain/text/words.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';

/**
 * Minimum share of a memory's words that a reply must repeat, so that the memory counts as used. Words that are also in
 * the prompt are left out.
 */
const SHARE_MIN = 0.3;
const WORDS_MIN = 2;

/** Maximum number of turns after an injection. Later replies are not attributed to the injection. */
const TURNS_MAX = 2;

/** Notes the use of recently injected memories. A later reply may still use a memory that was not used yet. */
export async function noteUsage(
  session: HookSession,
  reply: string,
  graph: Pick<MemoryStore, 'getMemories'>,
): Promise<void> {
  const recent = session.injections.filter(({ turn }) => session.turns - turn <= TURNS_MAX);
  const open = recent.flatMap(({ prompt = '', memories }) =>
    memories.filter(({ wasUsed }) => !wasUsed).map(injected => ({ injected, prompt })),
  );
  const contents = await graph.getMemories(open.map(({ injected }) => injected.id));
  for (const { injected, prompt } of open) {
    const memory = contents.get(injected.id);
    if (memory) injected.wasUsed = isTakenUp(memory.content, { prompt, reply });
  }
}

function isTakenUp(memory: string, { prompt, reply }: { prompt: string; reply: string }): boolean {
  const asked = meaningOf(prompt);
  const own = [...meaningOf(memory)].filter(word => !asked.has(word));
  const said = meaningOf(reply);
  const taken = own.filter(word => said.has(word)).length;
  return taken >= Math.min(WORDS_MIN, own.length) && taken >= own.length * SHARE_MIN && taken > 0;
}

function meaningOf(text: string): Set<string> {
  return new Set(words(text).flatMap(word => (isStopWord(word) ? [] : [stem(word)])));
}
