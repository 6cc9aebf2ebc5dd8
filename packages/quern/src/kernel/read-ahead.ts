/**
 * Iterates over a source and requests the next item while the consumer works on the current one. An error is thrown when its
 * item is due. A consumer that stops early waits until the source has stopped.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  const begin = (): Promise<IteratorResult<T>> => {
    const item = items.next();
    // The error is thrown where the item is awaited.
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
