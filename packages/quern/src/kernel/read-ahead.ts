/**
 * Items of a source, of which the next is made while the last one is worked on. What fails is thrown in its turn; who stops
 * early waits until the source has stopped.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  const begin = (): Promise<IteratorResult<T>> => {
    const item = items.next();
    // It is thrown where it is awaited, not before.
    item.catch(() => undefined);
    return item;
  };
  let next = begin();
  try {
    for (;;) {
      const item = await next;
      if (item.done === true) return;
      next = begin();
      yield item.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return?.();
  }
}
