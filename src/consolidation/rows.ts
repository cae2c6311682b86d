/**
 * Stores rows of numbers in one continuous list, with four bytes for each number. Separate arrays would take at least a
 * hundred bytes more for each row.
 */

export interface Rows {
  /** Start of each row in `values`, followed by the end of the last row. */
  starts: Int32Array;
  values: Int32Array;
}

export function rowCount({ starts }: Rows): number {
  return starts.length - 1;
}

/** Returns a view of a row: writing to the view writes to the rows. */
export function rowAt({ starts, values }: Rows, index: number): Int32Array {
  return values.subarray(starts[index], starts[index + 1]);
}

/** A list of rows that can still grow. */
export interface GrowingRows {
  readonly count: number;
  add(row: ArrayLike<number>): void;
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
    finish: () => ({ starts: starts.slice(0, count + 1), values: values.slice(0, end()) }),
  };
}

/**
 * Returns a list with at least `length` numbers. A list grows by half, which limits both the copying and the unused
 * space.
 */
function grown(list: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= list.length) return list;
  const longer = new Int32Array(Math.max(length, Math.ceil(list.length * 1.5)));
  longer.set(list);
  return longer;
}

/**
 * Returns for each number its positions in `numbers`, in ascending order.
 *
 * @param numbers from 0 up to but not including `count`; negative numbers are ignored
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
