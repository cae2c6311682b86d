export function replaceFigures(text: string, figures: string): string;
