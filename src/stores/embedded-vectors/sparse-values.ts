/** Vectors without their zeros. */

export interface SparseValues<Values extends Float32Array | Int8Array | Int16Array> {
  /** The dimensions of the values, in ascending order. */
  dimensions: Uint16Array;
  values: Values;
}

export function nonZerosOf<Values extends Float32Array | Int8Array | Int16Array>(
  all: Values,
  kind: new (length: number) => Values,
): SparseValues<Values> {
  const count = countNonZeros(all);
  const dimensions = new Uint16Array(count);
  const values = new kind(count);
  let found = 0;
  for (let dimension = 0; dimension < all.length; dimension++) {
    const value = all[dimension] as number;
    if (value === 0) continue;
    dimensions[found] = dimension;
    values[found++] = value;
  }
  return { dimensions, values };
}

export function countNonZeros(values: Float32Array | Int8Array | Int16Array): number {
  let count = 0;
  for (let index = 0; index < values.length; index++) if (values[index] !== 0) count += 1;
  return count;
}

/** Writes the values into `target`, whose other values stay as they are. */
export function scatter<Values extends Float32Array | Int8Array>(
  { dimensions, values }: SparseValues<Values>,
  target: Values,
): Values {
  for (let index = 0; index < dimensions.length; index++) target[dimensions[index] as number] = values[index] as number;
  return target;
}
