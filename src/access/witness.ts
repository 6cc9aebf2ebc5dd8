import type { Dispatcher } from 'undici';

/** A request as it leaves. */
export type Sent = {
  readonly url: URL;
  /** Names and values in turn, in their order. */
  readonly headers: readonly string[];
};

/** What ended a body before its end: a bound of ours, our time, or the server. */
export type Cut = 'length' | 'time' | 'disconnect';

/** The head of an answer as it came; text stands for its bytes in Latin-1, but for `reason`, which is UTF-8. */
export type ReceivedHead = {
  readonly protocol: 'http/1.1' | 'h2';
  readonly status: number;
  readonly reason: string;
  /** Names and values in turn, as written. */
  readonly headers: readonly string[];
};

/** An answer as it came, its transfer coding undone and its content coding not. */
export type Received = ReceivedHead & {
  readonly body: readonly Uint8Array[];
  /** Null for a whole body. */
  readonly cut: Cut | null;
  /** The address that answered; null where it may have been one of several. */
  readonly ip: string | null;
};

/** Told of each request of a visit when it leaves; what it answers is told of the answer, unless none comes. */
export type Witness = (sent: Sent) => (received: Received) => void;

type RawHeaders = Dispatcher.DispatchController['rawHeaders'];

/** The head of an answer by the fields that undici keeps as they came: bytes of HTTP/1.1, texts of HTTP/2. */
export function toReceivedHead(status: number, reason: string, raw: RawHeaders): ReceivedHead {
  if (Array.isArray(raw)) {
    const headers = raw.map((one) => (typeof one === 'string' ? one : one.toString('latin1')));
    return { protocol: 'http/1.1', status, reason, headers };
  }
  const headers = Object.entries(raw ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, one]),
  );
  return { protocol: 'h2', status, reason, headers };
}
