/** Renders the analysis of all memories. */
import type { Analysis } from '../../domain/statistics.js';
import type { AnalysisAnswer } from '../answers/analysis.js';
import { roundAverage, roundScore } from './numbers.js';

export function renderAnalysis(found: Analysis): AnalysisAnswer {
  const { types, patterns, preferences, hours, entities, confidences } = found;
  return {
    status: 'success',
    analytics: {
      memory_types: mapOf(types, ({ type, count, averageConfidence }) => [
        type,
        { count, average_confidence: roundAverage(averageConfidence) },
      ]),
      patterns: patterns?.map(each => ({ ...each, confidence: roundScore(each.confidence) })) ?? null,
      preferences: preferences?.map(each => ({ ...each, strength: roundScore(each.strength) })) ?? null,
      temporal_insights: mapOf(hours, ({ hour, count, averageImportance }) => [
        `hour_${String(hour).padStart(2, '0')}`,
        { count, avg_importance: roundAverage(averageImportance) },
      ]),
      entity_frequency: mapOf(entities, ({ name, count }) => [name, count]),
      confidence_distribution: confidences,
    },
  };
}

/** Converts the items to an object. `Object.fromEntries` is safe for any name, even `__proto__`. */
function mapOf<Item, Value>(
  items: readonly Item[] | null,
  entryOf: (item: Item) => [string, Value],
): Record<string, Value> | null {
  return items && Object.fromEntries(items.map(entryOf));
}
