/** Leaves the records that seem to contain credentials out of a page of an import. */
import { findCredentials } from '../credentials.js';
import type { CredentialLeftOut, ImportPage } from '../domain/transfer.js';
import { inSteps } from '../event-loop.js';

export async function withoutCredentials(
  page: ImportPage,
): Promise<{ kept: ImportPage; credentials: CredentialLeftOut[] }> {
  if (page.allowsCredentials) return { kept: page, credentials: [] };
  const credentials: CredentialLeftOut[] = [];
  const isClean = async (id: string, text: string): Promise<boolean> => {
    const found = await findCredentials(text);
    if (found.length === 0) return true;
    credentials.push({ id, kinds: [...new Set(found.map(({ kind }) => kind))] });
    return false;
  };
  const memories: ImportPage['memories'][number][] = [];
  for await (const record of inSteps(page.memories)) {
    const { id, content, summary, tags, metadata } = record.memory;
    const texts = [content, summary ?? '', ...tags, ...textsIn(metadata)];
    if (await isClean(id, texts.join('\n'))) memories.push(record);
  }
  const nodes: ImportPage['nodes'][number][] = [];
  for await (const node of inSteps(page.nodes))
    if (await isClean(`${node.kind}/${node.id}`, textsIn(node.properties).join('\n'))) nodes.push(node);
  return { kept: { ...page, memories, nodes }, credentials };
}

/** Returns the texts in a JSON value, each with the name of its field, because the name may tell that it is a secret. */
function textsIn(value: object): string[] {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    for (const [name, item] of Object.entries(open.pop() as object)) {
      if (typeof item === 'string') texts.push(`${name}=${item}`);
      else if (typeof item === 'object' && item !== null) open.push(item);
    }
  }
  return texts;
}
