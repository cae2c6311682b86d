/** Replaces the server that `engraph connect` has configured by one that starts slowly or not at all. */
import { readFile, writeFile } from 'node:fs/promises';
import { BINARY } from './lab.js';

export const SLOW_MS = 20_000;

export function slowServer(file: string): Promise<void> {
  const wait = `await new Promise(resolve => setTimeout(resolve, ${SLOW_MS}));`;
  return replaceServer(file, `${wait}\nawait import(${JSON.stringify(BINARY)});\n`);
}

export function breakServer(file: string): Promise<void> {
  return replaceServer(file, 'process.exit(1);\n');
}

/** The path of the script is an argument of its own in the entry of a server, and part of a longer text in a hook. */
async function replaceServer(file: string, script: string): Promise<void> {
  const path = `${file}.server.mjs`;
  await writeFile(path, script);
  const before = await readFile(file, 'utf8');
  const after = before.replace(JSON.stringify(BINARY), JSON.stringify(path));
  if (after === before) throw new Error(`${file} does not start ${BINARY}`);
  await writeFile(file, after);
}
