/** The resources and resource templates, and how they are read; the ids and tags that completion offers. */
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { RecallAnswer } from '../api/recall.js';
import type { EngraphClient } from '../client/client.js';
import { MemoryError } from '../domain/errors.js';
import { onOneLine, RECORDED_DATA, visible } from '../domain/shown-text.js';
import { beginningOf } from '../domain/text/characters.js';
import { ProtocolError } from './failure.js';
import type { ToolAnswer } from './handlers.js';
import { presentFetched, presentPage } from './recall/present.js';
import { LISTED_VIEW } from './view.js';

const TAGGED_MAX = 50;

const memoriesByTag: ResourceTemplate = {
  base: 'memory://tag/',
  parameter: 'tag',
  name: 'tag',
  title: 'Memories of a tag',
  description: `The most important memories with this tag, at most ${TAGGED_MAX}.`,
  async read(tag, { memory, shown }) {
    if (tag === '') return undefined;
    const page = await memory.listByTag({ tags: [tag], limit: TAGGED_MAX });
    shown.note(page.memories);
    return textOfAnswer(presentPage(page));
  },
  complete: (beginning, shown) => shown.tagsFrom(beginning),
};

export const LIMIT = 10;
/** Maximum length of each memory, in characters. The resource `memory://{id}` shows the whole memory. */
const CONTENT_MAX_LENGTH = 300;

type ListedMemory = RecallAnswer['results'][number]['memory'];

const startup: Resource = {
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

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const memoryById: ResourceTemplate = {
  base: 'memory://',
  parameter: 'id',
  name: 'memory',
  title: 'One memory',
  description: 'One memory in full, by its id, with its relations.',
  async read(id, { memory, shown }) {
    if (!UUID.test(id)) return undefined;
    try {
      const answer = await memory.get(id);
      shown.note([answer]);
      return textOfAnswer(presentFetched(id, answer));
    } catch (error) {
      if (error instanceof MemoryError && error.code === 'not_found') return undefined;
      throw error;
    }
  },
  complete: (beginning, shown) => shown.idsFrom(beginning),
};

const MIME_TYPE = 'text/plain';
const RESOURCES = [startup];
/** The template with the longer prefix comes first, because the first template whose prefix matches is used. */
const TEMPLATES = [memoriesByTag, memoryById];

/** @param rendersViews whether the client shows MCP Apps; the list for other clients does not mention the view */
export function listResources(rendersViews: boolean): ListResourcesResult {
  const resources = RESOURCES.map(({ read: _read, ...listed }) => ({ ...listed, mimeType: MIME_TYPE }));
  return { resources: rendersViews ? [...resources, LISTED_VIEW] : resources };
}

export function listResourceTemplates(): ListResourceTemplatesResult {
  const resourceTemplates = TEMPLATES.map(template => {
    const { name, title, description } = template;
    return { uriTemplate: uriTemplateOf(template), name, title, description, mimeType: MIME_TYPE };
  });
  return { resourceTemplates };
}

/** @throws ProtocolError when the resource does not exist */
export async function readResource(uri: string, context: ReadContext): Promise<ReadResourceResult> {
  const text = await textOf(uri, context);
  if (text === undefined) throw ProtocolError.resourceNotFound(uri);
  return { contents: [{ uri, mimeType: MIME_TYPE, text: visible(text) }] };
}

/** Finds a resource template by its URI template and its parameter. Returns undefined when none matches. */
export function resourceTemplateOf(uriTemplate: string, argument: string): ResourceTemplate | undefined {
  return TEMPLATES.find(template => uriTemplateOf(template) === uriTemplate && template.parameter === argument);
}

function uriTemplateOf({ base, parameter }: ResourceTemplate): string {
  return `${base}{${parameter}}`;
}

async function textOf(uri: string, context: ReadContext): Promise<string | undefined> {
  const resource = RESOURCES.find(candidate => candidate.uri === uri);
  if (resource) return resource.read(context);
  const template = TEMPLATES.find(({ base }) => uri.startsWith(base));
  const value = template && decoded(uri.slice(template.base.length));
  return value === undefined ? undefined : template?.read(value, context);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The maximum number of values that the protocol allows in one answer. */
const COMPLETIONS_MAX = 100;
const KEPT_MAX = 500;

interface Shown {
  id: string;
  tags: readonly string[];
}

export class RecentlyShown {
  /** Newest last. */
  readonly #ids = new Set<string>();
  readonly #tags = new Set<string>();

  note(memories: readonly Shown[]): void {
    for (const { id, tags } of memories) {
      keep(this.#ids, id);
      for (const tag of tags) keep(this.#tags, tag);
    }
  }

  /** Newest first. */
  idsFrom(beginning: string): string[] {
    return matching(this.#ids, beginning);
  }

  /** For a comma-separated list, completes the last tag. */
  tagsFrom(list: string): string[] {
    const before = list.slice(0, list.lastIndexOf(',') + 1);
    return matching(this.#tags, list.slice(before.length).trimStart()).map(tag => `${before}${tag}`);
  }
}

function keep(values: Set<string>, value: string): void {
  // Skip values with invisible characters, because a person cannot see what they choose.
  if (visible(value) !== value) return;
  values.delete(value);
  values.add(value);
  if (values.size > KEPT_MAX) for (const oldest of [...values].slice(0, 1)) values.delete(oldest);
}

function matching(values: ReadonlySet<string>, beginning: string): string[] {
  const wanted = beginning.toLowerCase();
  return [...values]
    .reverse()
    .filter(value => value.toLowerCase().startsWith(wanted))
    .slice(0, COMPLETIONS_MAX);
}

/** Joins the text blocks of an outcome into one string. */
export function textOfAnswer({ text }: ToolAnswer): string {
  return [text].flat().join('\n\n');
}

export interface ReadContext {
  memory: EngraphClient;
  shown: RecentlyShown;
}

interface Described {
  name: string;
  title: string;
  description: string;
}

interface Resource extends Described {
  uri: string;
  /** @throws MemoryError for each failure whose cause may be reported to the client */
  read(context: ReadContext): Promise<string>;
}

/** A family of resources whose addresses share a prefix. */
interface ResourceTemplate extends Described {
  /** The shared prefix. It ends with a slash. */
  base: string;
  /** Name of the variable part after the prefix. */
  parameter: string;
  /** Resolves to undefined when the resource does not exist. */
  read(value: string, context: ReadContext): Promise<string | undefined>;
  complete(beginning: string, shown: RecentlyShown): string[];
}
