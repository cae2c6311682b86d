/** `engraph hook --try "a prompt"`: shows what an assistant would get with a prompt, and why not more. */
import type { EngraphClient } from '../../client/client.js';
import type { Verdict } from '../../domain/hooks.js';
import { onOneLine } from '../../domain/shown-text.js';
import { beginningOf } from '../../domain/text/characters.js';
import { type CommandParts, say } from '../command.js';
import { withMemoryUnchanged } from '../with-memory.js';

const SHOWN_LENGTH = 100;
const MEANINGS: Record<Verdict, string> = {
  given: 'given',
  superseded: 'not given: another memory supersedes it',
  not_valid: 'not given: it is no longer valid, or not yet',
  maybe_outdated: 'not given: a later memory may replace it',
  too_little_evidence: 'not given: it shares too little with the prompt',
  far_below_best: 'not given: another memory fits much better',
  no_room: 'not given: there is no room left',
};

/** @throws MemoryError like every command that uses the memory */
export async function runTry(parts: CommandParts): Promise<number> {
  const { try: prompt = '' } = parts.options;
  const { trial, health } = await withMemoryUnchanged(parts, async memory => ({
    trial: await memory.hookTry({ prompt, cwd: process.cwd() }),
    health: await memory.health(),
  }));
  print(trial);
  if (trial.text === undefined && health.backend.embedding.startsWith('hash'))
    say('Only words and spellings are compared, because no sentence encoder is used: see docs/embeddings.md.');
  return 0;
}

function print({ said, text, tokens, memories }: Awaited<ReturnType<EngraphClient['hookTry']>>): void {
  if (said === undefined) say('Nothing is searched: this prompt is a command, machine output, or only an assent.');
  else if (text === undefined) say('The assistant would get nothing.');
  else
    for (const line of [`The assistant would get this text of ${tokens} tokens:`, '', ...text.split('\n')]) say(line);
  if (memories.length === 0) return;
  say('');
  say('These memories were considered, with their evidence. A memory needs 0.9 to be given:');
  for (const { content, evidence, verdict } of memories)
    say(`  ${evidence.toFixed(2)}  ${MEANINGS[verdict]}: ${onOneLine(beginningOf(content, SHOWN_LENGTH))}`);
}
