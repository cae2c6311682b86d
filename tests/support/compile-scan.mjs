/** Compiles `scan.wat` into `scan-code.ts`. A test checks that the two files match. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import wabt from 'wabt';

const FOLDER = new URL('../../src/stores/embedded-vectors/', import.meta.url);

/** @returns {Promise<string>} the content of `scan-code.ts` */
export async function compileScan() {
  const source = readFileSync(new URL('scan.wat', FOLDER), 'utf8');
  const module = (await wabt()).parseWat('scan.wat', source, { simd: true });
  const code = Buffer.from(module.toBinary({}).buffer).toString('base64');
  const lines = code.match(/.{1,100}/g).map(line => `  '${line}'`);
  return `/** The compiled \`scan.wat\` in base64, which \`npm run build:scan\` makes. */\nexport const SCAN_CODE =\n${lines.join(' +\n')};\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(new URL('scan-code.ts', FOLDER), await compileScan());
}
