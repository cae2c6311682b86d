/** The content of `scan-code.ts`. */
export function compileScan(): Promise<string>;
