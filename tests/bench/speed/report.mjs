/**
 * Collects the figures of a run. A figure has a name, a unit, and either `p50` and `p95` or one `value`; `isRecall`
 * marks figures that are comparable with the bare stores.
 */
import { durationsOf, summary, timed } from './statistics.mjs';

export const BARE = 'bare stores: words and vectors side by side';

/** @param onFigure called with each figure once it is known */
export function createReport(size, onFigure) {
  const figures = [];
  const add = figure => {
    figures.push(figure);
    onFigure(figure);
  };
  return {
    size,
    figures,
    add,
    value: (name, unit, value) => add({ name, unit, value }),
    /** Adds the duration of one action in milliseconds. */
    once: async (name, action) => add({ name, unit: 'ms', value: await timed(action) }),
    /** Runs an action for each of the inputs, and adds a summary of the durations in milliseconds. */
    each: async (name, inputs, action) => add({ name, unit: 'ms', ...summary(await durationsOf(inputs, action)) }),
    recalls: async (name, inputs, action) =>
      add({ name, unit: 'ms', ...summary(await durationsOf(inputs, action)), isRecall: true }),
  };
}
