/** Asking for more where too little came: the one place that decides by how much. */

const GROWTH = 4;

export interface Growing<Page> {
  /** How much the first attempt asks for. */
  from: number;
  /** No attempt asks for more. */
  max: number;
  read(size: number): Promise<Page>;
  /** Also true where there is nothing more to be had. */
  isEnough(page: Page, size: number): boolean;
}

/** Asks for four times as much until there is enough. The last page is the answer, whether it is enough or not. */
export async function grow<Page>({ from, max, read, isEnough }: Growing<Page>): Promise<Page> {
  for (let size = from; ; size *= GROWTH) {
    const page = await read(size);
    if (isEnough(page, size) || size * GROWTH > max) return page;
  }
}
