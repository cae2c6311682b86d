/** The relations of a memory, as a picture and as a list. */
import type { VNode } from 'preact';
import type { MemoryAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { hrefOfMemory } from '../shell/route.js';
import { Time } from '../shell/times.js';
import { EgoGraph, NEIGHBOURS_MAX } from './ego-graph.js';

type Relation = MemoryAnswer['relations'][number];

export function Relations({ relations }: { relations: readonly Relation[] }): VNode {
  if (relations.length === 0) {
    return html`<section><h2>Relations</h2><p class="meta">None yet. Enrichment finds similar memories, and an assistant can
    relate two memories with the tool <code>associate_memories</code>.</p></section>`;
  }
  const neighbours = new Set(relations.map(({ memory }) => memory.id)).size;
  const left = neighbours - NEIGHBOURS_MAX;
  return html`<section><h2>Relations (${relations.length})</h2>
    <${EgoGraph} relations=${relations} />
    ${left > 0 && html`<p class="meta">The picture leaves out ${left} neighbours. The list has all.</p>`}
    <${RelationList} relations=${relations} /></section>`;
}

export function RelationList({ relations }: { relations: readonly Relation[] }): VNode {
  return html`<ul class="relations">${relations.map(relation => html`<${Entry} relation=${relation} />`)}</ul>`;
}

function Entry({ relation }: { relation: Relation }): VNode {
  const { type, direction, strength, memory, reason } = relation;
  return html`<li><span class="badge">${direction === 'outgoing' ? `${type} →` : `← ${type}`}</span>
    ${' '}<a data-item href=${hrefOfMemory(memory.id)}>${memory.content}</a>${' '}
    <span class="meta"><${Time} at=${memory.timestamp} />, strength ${strength.toFixed(2)}${reason && `, ${reason}`}</span></li>`;
}
