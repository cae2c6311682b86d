/** Sums of the vectors of the members of each group, with four bytes for each number. */

export interface VectorSums {
  readonly groupCount: number;
  add(group: number, vector: Float32Array): void;
  /**
   * Returns the cosine between the sum of the group and the vector, -1..1. For a member, the member's own contribution
   * is left out.
   */
  fit(group: number, vector: Float32Array, isMember: boolean): number;
}

export function createVectorSums(groupCount: number, dimensions: number): VectorSums {
  const sums = new Float32Array(groupCount * dimensions);
  /** For each group, the squared length of its sum; 0 while it is not computed. */
  const squares = new Float64Array(groupCount);
  const sumOf = (group: number) => sums.subarray(group * dimensions, (group + 1) * dimensions);
  return {
    groupCount,
    add: (group, vector) => {
      const sum = sumOf(group);
      for (let index = 0; index < dimensions; index++) sum[index] = (sum[index] as number) + (vector[index] as number);
      squares[group] = 0;
    },
    fit: (group, vector, isMember) => {
      const sum = sumOf(group);
      if (squares[group] === 0) squares[group] = dot(sum, sum);
      const ofGroup = squares[group] as number;
      const product = dot(sum, vector);
      const own = dot(vector, vector);
      const square = isMember ? ofGroup - 2 * product + own : ofGroup;
      const rest = isMember ? product - own : product;
      return square > 1e-9 && own > 0 ? rest / Math.sqrt(square * own) : 0;
    },
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}
