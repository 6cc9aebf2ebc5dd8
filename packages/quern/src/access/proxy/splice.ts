import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '#kernel/clock.ts';

export type SpliceOptions = {
  /** Ends both after this time without a byte, ms. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** Called with the bytes of each piece, in either direction. */
  readonly count: (bytes: number) => void;
};

/**
 * Joins two connections: the bytes of each go to the other, at the pace of the slower, and an end in one direction leaves
 * the other open. When one breaks, both are gone.
 */
export function splice(client: Duplex, target: Socket, { idleMs, clock, count }: SpliceOptions): void {
  if (client.destroyed) return void target.destroy();
  const idle = clock.after(idleMs, end);
  let open = 2;
  function end(): void {
    idle.close();
    client.destroy();
    target.destroy();
  }
  function onClose(this: Duplex): void {
    open -= 1;
    // A connection that closed without an end sends nothing more, and the bytes sent to it are lost.
    if (open === 0 || !this.readableEnded || !this.writableFinished) end();
  }
  function onData(chunk: Uint8Array): void {
    idle.refresh();
    count(chunk.byteLength);
  }
  for (const [from, to] of [
    [client, target],
    [target, client],
  ] as const) {
    from.on('data', onData);
    from.on('error', end);
    from.once('close', onClose);
    from.pipe(to);
  }
}
