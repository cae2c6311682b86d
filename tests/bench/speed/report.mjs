/**
 * The figures of a run as they come in. A figure has a name, a unit, and either `p50` and `p95` or one `value`; `isRecall`
 * says that the bare stores can be held against it.
 */
import { durationsOf, summary, timed } from './statistics.mjs';

export const BARE = 'bare stores: words and vectors side by side';

/** @param onFigure told of each figure once it is known */
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
    /** Milliseconds of one action. */
    once: async (name, action) => add({ name, unit: 'ms', value: await timed(action) }),
    /** Milliseconds of an action for each of the inputs. */
    each: async (name, inputs, action) => add({ name, unit: 'ms', ...summary(await durationsOf(inputs, action)) }),
    recalls: async (name, inputs, action) =>
      add({ name, unit: 'ms', ...summary(await durationsOf(inputs, action)), isRecall: true }),
  };
}
