/** Repeats a read with a larger size when it returned too little. */

const GROWTH = 4;

export interface Growing<Page> {
  /** Size of the first attempt. */
  from: number;
  /** Maximum size of an attempt. */
  max: number;
  read(size: number): Promise<Page>;
  /** Must also return true when nothing more is available. */
  isEnough(page: Page, size: number): boolean;
}

/**
 * Repeats the read with four times the size until the page is enough. If even the last attempt within `max` reads too
 * little, its page is returned.
 */
export async function grow<Page>({ from, max, read, isEnough }: Growing<Page>): Promise<Page> {
  for (let size = from; ; size *= GROWTH) {
    const page = await read(size);
    if (isEnough(page, size) || size * GROWTH > max) return page;
  }
}
