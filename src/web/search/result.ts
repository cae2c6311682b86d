/** One result of a search: the memory, its score, and why it was found. */
import type { VNode } from 'preact';
import type { RecallResult, ScoreExplanationAnswer } from '../../api/recall-result.js';
import { html } from '../html.js';
import { hrefOfMemory } from '../shell/route.js';
import { Time } from '../shell/times.js';

type FoundBy = ScoreExplanationAnswer['found_by'][number];

const FOUND_BY: Record<FoundBy, string> = {
  vector: 'its meaning',
  keyword: 'its words',
  date: 'a date in the question',
  neighbour: 'a memory of the same conversation',
  waiting: 'its recency, because it has no vector yet',
  priority: 'its id in the field “Raise ids”',
  list: 'its place in the sort order',
  relation: 'a relation to another result',
  entity: 'a name that another result also has',
  state: 'an older memory that it replaces',
};

/** The fields that are shown. The view in a host reads them from the structured content of `recall_memory`. */
export type ShownResult = Pick<
  RecallResult,
  | 'explanation'
  | 'final_score'
  | 'superseded_by'
  | 'state_replaces'
  | 'maybe_outdated_by'
  | 'not_current'
  | 'outside_tag_scope'
  | 'from'
> & {
  memory: Pick<RecallResult['memory'], 'id' | 'content' | 'tags' | 'importance' | 'timestamp'> & {
    /** Undefined in the view, until a search of the view itself has asked for all fields. */
    type?: RecallResult['memory']['type'] | undefined;
  };
};

export function ResultItem({ result, full }: { result: ShownResult; full: number }): VNode {
  const { memory, explanation, final_score: score } = result;
  return html`<li class="result">
    <a class="content" data-item href=${hrefOfMemory(memory.id)}>${memory.content}</a>
    <p class="meta row"><${Type} type=${memory.type} /> <${Time} at=${memory.timestamp} />
      <span>importance ${memory.importance}</span> <${Tags} tags=${memory.tags} /></p>
    <${StateBadges} result=${result} />
    ${
      explanation
        ? html`<${ScoreBar} explanation=${explanation} score=${score} full=${full} />
      <p class="why">Found by ${explanation.found_by.map(way => FOUND_BY[way]).join(' and by ')}${wordsOf(explanation)}.</p>
      <details><summary>The whole score</summary><${ScoreTable} explanation=${explanation} /></details>`
        : html`<p class="meta">Score ${score.toFixed(3)}</p>`
    }
  </li>`;
}

function wordsOf({ terms }: ScoreExplanationAnswer): string {
  const found = terms.filter(({ in_content, in_tags }) => in_content > 0 || in_tags).map(({ term }) => term);
  return found.length === 0 ? '' : `; it has the words ${found.join(', ')}`;
}

/** The type of a memory. Nothing while it is unknown. */
export function Type({ type }: { type?: string | undefined }): VNode | null {
  return type === undefined ? null : html`<span class=${`type ${type}`}>${type}</span>`;
}

export function Tags({ tags }: { tags: readonly string[] }): VNode {
  return html`<span class="tags">${tags.map(
    tag => html`<a class="tag" href=${`#/search?${new URLSearchParams({ tags: tag })}`}>${tag}</a> `,
  )}</span>`;
}

const NOT_CURRENT: Record<NonNullable<RecallResult['not_current']>, string> = {
  archived: 'archived',
  not_yet_valid: 'not valid yet',
  expired: 'expired',
};

function StateBadges({ result }: { result: ShownResult }): VNode | null {
  const { superseded_by, state_replaces, maybe_outdated_by, not_current, outside_tag_scope, from } = result;
  const badges = [
    not_current && html`<span class="badge warn">${NOT_CURRENT[not_current]}</span>`,
    superseded_by && html`<a class="badge warn" href=${hrefOfMemory(superseded_by)}>replaced by a newer memory</a>`,
    state_replaces && html`<a class="badge" href=${hrefOfMemory(state_replaces)}>replaces an older memory</a>`,
    maybe_outdated_by &&
      html`<a class="badge warn" href=${hrefOfMemory(maybe_outdated_by.memory_id)} title=${maybe_outdated_by.content}>maybe outdated by a newer memory</a>`,
    from && html`<a class="badge" href=${hrefOfMemory(from.id)}>related to another result by ${from.type}</a>`,
    outside_tag_scope && html`<span class="badge">without the requested tags</span>`,
  ].filter(Boolean);
  return badges.length === 0 ? null : html`<p class="badges">${badges}</p>`;
}

export type ComponentName = keyof ScoreExplanationAnswer['components'];

const LABELS: Record<ComponentName, string> = {
  meaning: 'meaning',
  vector: 'similar vector',
  lexical: 'words',
  keyword: 'word points',
  exact: 'same phrase',
  tag: 'tags',
  relation: 'relation',
  neighbour: 'same conversation',
  importance: 'importance',
  recency: 'recent use',
  confidence: 'sure of type',
  relevance: 'not faded',
  context: 'context',
  newer: 'newer note',
  inherited: 'takes the place of an older memory',
};

export interface Share {
  name: ComponentName;
  label: string;
  amount: number;
}

/** The components that add to the score, largest first. */
export function sharesOf(components: ScoreExplanationAnswer['components']): Share[] {
  return (Object.keys(LABELS) as ComponentName[])
    .map(name => ({ name, label: LABELS[name], amount: components[name].contribution }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount);
}

interface ScoreBarProps {
  explanation: ScoreExplanationAnswer;
  score: number;
  /** The score at which the bar is full. */
  full: number;
}

const NAMED = 4;

export function ScoreBar({ explanation, score, full }: ScoreBarProps): VNode {
  const shares = sharesOf(explanation.components);
  let start = 0;
  const parts = shares.map(({ name, label, amount }) => {
    const width = (amount / full) * 100;
    const part = html`<rect class=${`part ${name}`} x=${start} y="0" width=${width} height="8"><title>${label} ${amount.toFixed(3)}</title></rect>`;
    start += width;
    return part;
  });
  const named = shares.slice(0, NAMED);
  const rest = shares.slice(NAMED).reduce((sum, { amount }) => sum + amount, 0);
  return html`<div class="score">
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label=${`Score ${score.toFixed(3)}`}>${parts}</svg>
    <ul class="legend" aria-label="Parts of the score"><li><strong>${score.toFixed(3)}</strong></li>
    ${named.map(({ name, label, amount }) => html`<li><${Swatch} name=${name} />${label} ${amount.toFixed(2)}</li>`)}
    ${rest >= 0.005 && html`<li>others ${rest.toFixed(2)}</li>`}</ul>
  </div>`;
}

function Swatch({ name }: { name: ComponentName }): VNode {
  return html`<svg class="swatch" viewBox="0 0 8 8" aria-hidden="true"><rect class=${`part ${name}`} width="8" height="8" /></svg>`;
}

/** Lists every component that adds to the score, so that a person can check the sum. */
function ScoreTable({ explanation }: { explanation: ScoreExplanationAnswer }): VNode {
  const rows = sharesOf(explanation.components).map(({ name, label }) => {
    const { evidence, weight, contribution } = explanation.components[name];
    return html`<tr><th scope="row">${label}</th><td>${evidence.toFixed(3)}</td><td>${weight}</td><td>${contribution.toFixed(3)}</td></tr>`;
  });
  return html`<table><thead><tr><th scope="col">Part</th><th scope="col">Evidence</th><th scope="col">Weight</th>
    <th scope="col">Adds</th></tr></thead><tbody>${rows}</tbody></table>`;
}
