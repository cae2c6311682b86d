import type { Run } from './table.mjs';

export function svgChart(run: Run): string;
