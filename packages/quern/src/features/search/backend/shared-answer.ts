import type { BackendAnswer, BackendCall, SearchBackend, SearchQuery } from './backend.ts';

type Asking = { readonly answer: Promise<BackendAnswer>; readonly stop: AbortController; waiting: number };

/** A backend that is asked once for all lists that one query asks it for; its request ends when none waits for it any more. */
export function askedOnce(backend: SearchBackend): SearchBackend {
  const known = new WeakMap<SearchQuery, Asking>();

  function begin(query: SearchQuery, call: BackendCall): Asking {
    const stop = new AbortController();
    const asking = { answer: backend.search(query, { ...call, signal: stop.signal }), stop, waiting: 0 };
    known.set(query, asking);
    return asking;
  }

  return {
    ...backend,
    async search(query, call) {
      const { signal } = call;
      signal.throwIfAborted();
      const asking = known.get(query) ?? begin(query, call);
      asking.waiting += 1;
      const left = Promise.withResolvers<never>();
      const leave = (): void => {
        asking.waiting -= 1;
        if (asking.waiting === 0) asking.stop.abort(signal.reason);
        left.reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      return Promise.race([asking.answer, left.promise]).finally(() => signal.removeEventListener('abort', leave));
    },
  };
}
