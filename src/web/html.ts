/** HTML templates. An inserted text becomes a text node or an attribute value, never markup. */
import htm from 'htm';
import { h, type VNode } from 'preact';

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** The types of htm describe its CommonJS form, in which the default export is a module. */
const { bind } = htm as unknown as { bind: (this: unknown, create: typeof h) => Template };

export const html: Template = bind.call(htm, h);
