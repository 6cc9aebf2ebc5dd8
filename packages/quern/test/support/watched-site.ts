import { startHttpServer } from '#testkit/servers.ts';

export type WatchedSite = Awaited<ReturnType<typeof openWatchedSite>>;

/** A site that counts its visits and responds after `delayMs()`, and below `/held/` only after release. */
export async function openWatchedSite(delayMs: () => number) {
  const visits = new Map<string, number>();
  const held = new Map<string, (() => void)[]>();
  const waiting = new Set<() => void>();
  let all = 0;
  let cut = 0;
  const site = await startHttpServer((request, response) => {
    const path = request.url ?? '/';
    visits.set(path, (visits.get(path) ?? 0) + 1);
    all += 1;
    for (const look of waiting) look();
    response.once('close', () => {
      if (!response.writableFinished) cut += 1;
    });
    const answer = (): void => void response.end(`<p>The page ${path} of the mill.`);
    if (path.startsWith('/held/')) {
      // A client waits longer for the rest of a page than for its first byte.
      response.write('<h1>Rye</h1>');
      held.set(path, [...(held.get(path) ?? []), answer]);
    } else setTimeout(answer, delayMs());
  });

  return {
    origin: site.origin,
    host: `127.0.0.1:${site.port}`,
    /** Visits of a page, or of all of them. */
    visits: (path?: string): number => (path === undefined ? all : (visits.get(path) ?? 0)),
    /** Visits whose client disconnected before the response. */
    cut: (): number => cut,
    /** Resolves when `isThere` returns true; it is called at each visit. */
    async until(isThere: () => boolean): Promise<void> {
      await new Promise<void>((resolve) => {
        function look(): void {
          if (!isThere()) return;
          waiting.delete(look);
          resolve();
        }
        waiting.add(look);
        look();
      });
    },
    /** Releases the held visits of a page so far, at most the first `most`. */
    letGo(path: string, most = Number.POSITIVE_INFINITY): void {
      const waiters = held.get(path) ?? [];
      held.set(path, waiters.slice(most));
      for (const answer of waiters.slice(0, most)) answer();
    },
    close: async (): Promise<void> => site[Symbol.asyncDispose](),
  };
}
