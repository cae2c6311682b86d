/** Shows the components that add to a score, as a bar with a legend and as a table. */
import type { VNode } from 'preact';
import type { ScoreExplanationAnswer } from '../../api/recall-result.js';
import { html } from '../html.js';

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
export function ScoreTable({ explanation }: { explanation: ScoreExplanationAnswer }): VNode {
  const rows = sharesOf(explanation.components).map(({ name, label }) => {
    const { evidence, weight, contribution } = explanation.components[name];
    return html`<tr><th scope="row">${label}</th><td>${evidence.toFixed(3)}</td><td>${weight}</td><td>${contribution.toFixed(3)}</td></tr>`;
  });
  return html`<table><thead><tr><th scope="col">Part</th><th scope="col">Evidence</th><th scope="col">Weight</th>
    <th scope="col">Adds</th></tr></thead><tbody>${rows}</tbody></table>`;
}
