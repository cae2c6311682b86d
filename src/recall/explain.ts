/** How a score came about, read from its parts: never a second opinion. */
import type { ScoreComponents, ScoreExplanation } from '../domain/answers.js';
import type { Scored } from './candidate.js';
import { contributions } from './score.js';

const DECIMALS = 1e6;

export function explain({ candidate, score, presence, rules }: Scored): ScoreExplanation {
  const { evidence, weights } = rules;
  const parts = contributions(score.components, weights);
  const names = Object.keys(score.components) as (keyof ScoreComponents)[];
  const components = names.map(name => {
    const weight = name === 'context' ? 1 : weights[name];
    return [name, { evidence: round(score.components[name]), weight, contribution: round(parts[name]) }];
  });
  return {
    found_by: [...candidate.foundBy],
    components: Object.fromEntries(components) as ScoreExplanation['components'],
    terms: evidence.terms.map((term, index) => ({
      term,
      weight: round(evidence.weights[index] ?? 0),
      in_content: presence[index] ?? 0,
      in_tags: candidate.tagStems.has(term),
    })),
  };
}

export function round(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}
