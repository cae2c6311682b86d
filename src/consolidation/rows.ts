/** Rows of numbers in one list, one behind the other: four bytes a number, where an array for each row takes a hundred and more. */

export interface Rows {
  /** Where each row begins in `values`, and behind the last one where it ends. */
  starts: Int32Array;
  values: Int32Array;
}

export function rowCount({ starts }: Rows): number {
  return starts.length - 1;
}

/** A view: what is written into it is written into the rows. */
export function rowAt({ starts, values }: Rows, index: number): Int32Array {
  return values.subarray(starts[index], starts[index + 1]);
}

/** Rows that are not complete yet. */
export interface GrowingRows {
  readonly count: number;
  add(row: ArrayLike<number>): void;
  /** A view, until the next row is added. */
  at(index: number): Int32Array;
  finish(): Rows;
}

const FIRST_CAPACITY = 1_024;

export function createRows(): GrowingRows {
  let starts = new Int32Array(FIRST_CAPACITY);
  let values = new Int32Array(FIRST_CAPACITY);
  let count = 0;
  const end = () => starts[count] as number;
  return {
    get count() {
      return count;
    },
    add: row => {
      const first = end();
      values = grown(values, first + row.length);
      values.set(row, first);
      starts = grown(starts, count + 2);
      count += 1;
      starts[count] = first + row.length;
    },
    at: index => values.subarray(starts[index], starts[index + 1]),
    finish: () => ({ starts: starts.slice(0, count + 1), values: values.slice(0, end()) }),
  };
}

/** By half: what is copied stays within bounds, and little of it stays empty. */
function grown(list: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= list.length) return list;
  const longer = new Int32Array(Math.max(length, Math.ceil(list.length * 1.5)));
  longer.set(list);
  return longer;
}

/**
 * For each number its places in `numbers`, in ascending order.
 *
 * @param numbers 0 up to below `count`, or less than 0 for what belongs to none
 */
export function placesByNumber(numbers: ArrayLike<number>, count: number): Rows {
  const starts = new Int32Array(count + 1);
  for (let place = 0; place < numbers.length; place++) {
    const number = numbers[place] as number;
    if (number >= 0) starts[number + 1] = (starts[number + 1] as number) + 1;
  }
  for (let number = 0; number < count; number++) {
    starts[number + 1] = (starts[number + 1] as number) + (starts[number] as number);
  }
  const next = starts.slice(0, count);
  const values = new Int32Array(starts[count] as number);
  for (let place = 0; place < numbers.length; place++) {
    const number = numbers[place] as number;
    if (number < 0) continue;
    values[next[number] as number] = place;
    next[number] = (next[number] as number) + 1;
  }
  return { starts, values };
}
