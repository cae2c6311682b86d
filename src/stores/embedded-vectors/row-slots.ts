/** Maps rows to slots in pages of numbers, which take a tenth of the memory of a `Map`, because rows are mostly dense. */

export interface RowSlots {
  readonly size: number;
  get(row: number): number | undefined;
  set(row: number, slot: number): void;
  delete(row: number): void;
}

const PAGE_SIZE = 4_096;
/** Pages contain slots plus one, so that a new page needs no other value. */
const FREE = 0;

export function createRowSlots(): RowSlots {
  const pages = new Map<number, Int32Array>();
  let size = 0;
  const pageOf = (row: number) => pages.get(Math.floor(row / PAGE_SIZE));
  const placeOf = (row: number) => ((row % PAGE_SIZE) + PAGE_SIZE) % PAGE_SIZE;
  const at = (row: number) => pageOf(row)?.[placeOf(row)] ?? FREE;
  return {
    get size() {
      return size;
    },
    get: row => {
      const value = at(row);
      return value === FREE ? undefined : value - 1;
    },
    set: (row, slot) => {
      if (at(row) === FREE) size += 1;
      const page = pageOf(row) ?? new Int32Array(PAGE_SIZE);
      pages.set(Math.floor(row / PAGE_SIZE), page);
      page[placeOf(row)] = slot + 1;
    },
    delete: row => {
      if (at(row) === FREE) return;
      size -= 1;
      (pageOf(row) as Int32Array)[placeOf(row)] = FREE;
    },
  };
}
