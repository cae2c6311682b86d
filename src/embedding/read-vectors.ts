/** Converts answers of providers to vectors that can be stored. Any deviation from the expected form is an error. */
import type { ReturnedLength } from './embedder.js';
import { ProviderFailure } from './provider-failure.js';
import { isObject, listIn } from './request-sender.js';

/**
 * Returns the embeddings of an answer in OpenAI's form, `{data: [{index, embedding}]}`, ordered by `index`. An item
 * without an index keeps its position.
 *
 * @throws ProviderFailure `misread`
 */
export function indexedEmbeddings(answer: unknown): unknown[] {
  const items = listIn(answer, 'data');
  const ordered: unknown[] = [];
  items.forEach((item, position) => {
    const { index = position, embedding } = isObject(item) ? item : {};
    if (typeof index !== 'number' || !(index in items) || index in ordered)
      throw new ProviderFailure('misread', `answered with the wrong index ${index} among ${items.length} embeddings`);
    ordered[index] = embedding;
  });
  return ordered;
}

export interface VectorShape {
  /** Dimension of every embedding; undefined until the first answer shows it. */
  expected: number | undefined;
  /**
   * The model's default dimension. Set only if the model can be asked for any smaller dimension. For such a model,
   * cutting a vector of the default dimension gives the same result as asking for the smaller dimension.
   */
  cutFrom: number | undefined;
  /** VECTOR_SIZE. */
  size: number;
}

/** Reads the answers of one model. */
export interface VectorReader {
  /** Length of the vectors in the last answer; absent before the first answer. */
  readonly returned: ReturnedLength | undefined;
  /**
   * Converts the embeddings to vectors. Checks that there is one valid embedding for each of `count` texts.
   *
   * @throws ProviderFailure
   */
  read(embeddings: readonly unknown[], count: number): Float32Array[];
}

export function createVectorReader(shape: VectorShape): VectorReader {
  let { expected } = shape;
  let returned: ReturnedLength | undefined;
  return {
    get returned() {
      return returned;
    },
    read: (embeddings, count) => {
      if (embeddings.length !== count)
        throw new ProviderFailure('misread', `answered ${count} texts with ${embeddings.length} embeddings`);
      returned = returnedLength(embeddings, { ...shape, expected }) ?? returned;
      const dimensions = expected ?? dimensionsOf(embeddings, shape.size);
      const vectors = embeddings.map(embedding => readVector(embedding, { ...shape, expected: dimensions }));
      expected = dimensions;
      return vectors;
    },
  };
}

/** Returns the first unusable length, or the length of the first embedding if every length is usable. */
function returnedLength(embeddings: readonly unknown[], shape: VectorShape): ReturnedLength | undefined {
  const { expected, cutFrom, size } = shape;
  const lengths = embeddings.filter(Array.isArray).map(({ length }) => length);
  const isUsable = (length: number) =>
    length === cutFrom || (expected === undefined ? length > 0 && length <= size : length === expected);
  const dimensions = lengths.find(length => !isUsable(length)) ?? lengths[0];
  return dimensions === undefined ? undefined : { dimensions, isUsable: isUsable(dimensions) };
}

/** The failure for a model whose vectors are longer than VECTOR_SIZE. */
export function tooManyDimensions(dimensions: number, size: number): ProviderFailure {
  return new ProviderFailure('unfit', `makes vectors of ${dimensions} dimensions, more than VECTOR_SIZE=${size}`, {
    remedy: `set VECTOR_SIZE=${dimensions}, or choose another model`,
  });
}

function dimensionsOf([first]: readonly unknown[], size: number): number {
  const count = Array.isArray(first) ? first.length : 0;
  if (count > size) throw tooManyDimensions(count, size);
  return count;
}

function readVector(embedding: unknown, { expected, cutFrom, size }: VectorShape & { expected: number }): Float32Array {
  if (!Array.isArray(embedding)) throw new ProviderFailure('misread', 'answered with an embedding that is not a list');
  const numbers: unknown[] = embedding.length === cutFrom ? embedding.slice(0, expected) : embedding;
  if (numbers.length !== expected)
    throw new ProviderFailure('misread', `answered with ${numbers.length} dimensions instead of ${expected}`);
  if (!areNumbers(numbers))
    throw new ProviderFailure('misread', 'answered with an embedding that does not consist of finite numbers');
  return toUnitVector(numbers, size);
}

function areNumbers(values: readonly unknown[]): values is number[] {
  return values.every(value => Number.isFinite(value));
}

/** Scales a vector to unit length, and pads it with zeros to `size`. Neither step changes a cosine. */
function toUnitVector(numbers: readonly number[], size: number): Float32Array {
  const length = Math.hypot(...numbers);
  if (length === 0) throw new ProviderFailure('misread', 'answered with an embedding of zeros');
  const vector = new Float32Array(size);
  numbers.forEach((number, index) => {
    vector[index] = number / length;
  });
  return vector;
}
