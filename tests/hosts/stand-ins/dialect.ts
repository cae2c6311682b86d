/** What the stand-in of a model has to know about the interface of one provider. */

export type Json = Record<string, unknown>;

/** A text of a request, and where the model reads it. */
export interface Placed {
  /** Such as `system`, `user` or `developer`. */
  role: string;
  text: string;
}

export type Reply = { text: string } | { tool: string; input: Json };

export interface Dialect {
  /** Whether a path of the URL asks for an answer of the model. */
  accepts: (path: string) => boolean;
  /** Texts in the order in which the model reads them. Results of tools have the role `tool`. */
  texts: (body: Json) => Placed[];
  /** Names of the tools that the model may call. */
  tools: (body: Json) => string[];
  /** Body of the response, and whether it is a stream of events. */
  answer: (body: Json, reply: Reply, path: string) => { isStream: boolean; body: string };
}

/** An array of objects, or an empty one if the value is something else. */
export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'object' && each !== null) : [];
}

/** The texts of a content that is a string or a list of parts with a field `text`. */
export function contentTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return objects(content).flatMap(({ text, content: inner }) =>
    typeof text === 'string' ? [text] : inner === undefined ? [] : contentTexts(inner),
  );
}

/** Server-sent events. A string of data is sent as it is. */
export function events(list: readonly { event?: string; data: Json | string }[]): string {
  return list
    .map(({ event, data }) => {
      const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
      return event === undefined ? line : `event: ${event}\n${line}`;
    })
    .join('');
}
