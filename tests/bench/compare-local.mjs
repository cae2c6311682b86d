/**
 * Compares the vectors of the `local` embedder with those of another implementation, for both sets of weights in a folder
 * that make-local-model.py has made.
 *
 *   npm run build && node tests/bench/compare-local.mjs ../models/all-MiniLM-L6-v2
 *
 * Ends with an error when a vector is further from its reference than rounding explains.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLocalEmbedder } from '../../build/embedding/local/local.js';
import { folderWith, wallClock } from './local-model.mjs';

const folder = resolve(process.argv[2] ?? '../models/all-MiniLM-L6-v2');
const reference = JSON.parse(readFileSync(join(folder, 'reference-vectors.json'), 'utf8'));
const VARIANTS = [
  { weights: 'onnx/model.onnx', atLeast: 0.999 },
  { weights: 'onnx/model_quantized.onnx', atLeast: 0.98 },
];
/** Longer than the model's vectors, so that padding is compared too. */
const DIMENSIONS = 1024;

const out = line => process.stdout.write(`${line}\n`);
const quiet = { info: () => {}, warn: out };

function cosine(a, b) {
  return b.reduce((sum, value, index) => sum + value * a[index], 0) / (Math.hypot(...a) * Math.hypot(...b));
}

async function compare({ weights, atLeast }) {
  const { path, remove } = folderWith(folder, weights);
  const local = { model: '', path, folder: '', hubUrl: '' };
  const embedder = await createLocalEmbedder({ dimensions: DIMENSIONS, local }, { log: quiet, clock: wallClock });
  try {
    const texts = reference.map(({ text }) => text);
    const vectors = await embedder.embed(texts, 'document');
    const cosines = reference.map(({ text, vector }, index) => ({ text, cosine: cosine(vectors[index], vector) }));
    cosines.sort((a, b) => a.cosine - b.cosine);
    const mean = cosines.reduce((sum, each) => sum + each.cosine, 0) / cosines.length;
    const low = cosines.filter(each => each.cosine < atLeast);
    out(`${weights}: ${texts.length} texts, cosine at least ${cosines[0].cosine.toFixed(5)}, mean ${mean.toFixed(5)}`);
    for (const { text, cosine } of cosines.slice(0, 3))
      out(`  ${cosine.toFixed(5)}  ${JSON.stringify(text.slice(0, 60))}`);
    if (low.length > 0) {
      out(`  ${low.length} below ${atLeast}`);
      process.exitCode = 1;
    }
  } finally {
    await embedder.close();
    remove();
  }
}

for (const variant of VARIANTS) await compare(variant);
