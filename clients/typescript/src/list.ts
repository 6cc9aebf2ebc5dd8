/** A page of a list. */
export type ListPage<T> = {
  readonly request_id: string;
  readonly data: readonly T[];
  /** Null at the end. */
  readonly next_cursor: string | null;
};

/** A list of records, newest first: awaited it is its first page, iterated it is every element, page after page. */
export class List<T> implements AsyncIterable<T>, PromiseLike<ListPage<T>> {
  readonly #read: (cursor: string | null) => Promise<ListPage<T>>;

  constructor(read: (cursor: string | null) => Promise<ListPage<T>>) {
    this.#read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    let cursor: string | null = null;
    do {
      const page: ListPage<T> = await this.#read(cursor);
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list reads its first page
  then<A = ListPage<T>, B = never>(
    resolve?: ((page: ListPage<T>) => A | PromiseLike<A>) | null,
    reject?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read(null).then(resolve, reject);
  }
}
