export interface Figure {
  name: string;
  unit: string;
  value?: number;
  p50?: number;
  p95?: number;
  isRecall?: boolean;
}

export interface Run {
  machine: { processor: string; cores: number; memoryGiB: number; node: string; system: string; date: string };
  loadBefore: string[];
  loadAfter: string[];
  queries: number;
  results: { size: number; filledOn: string; figures: Figure[] }[];
}

export function markdownTable(run: Run): string;
export function figureText(figure: Figure | undefined): string;
export function numberText(value: number): string;
