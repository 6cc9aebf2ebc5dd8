/** A request as it leaves. */
export type Sent = {
  readonly url: URL;
  /** Names and values in turn, in their order. */
  readonly headers: readonly string[];
};

/** The cause of a body's early end: a bound of this service, its time limit, or the server. */
export type BodyCut = 'length' | 'time' | 'disconnect';

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
  readonly cut: BodyCut | null;
  /** The address that answered; null where it may have been one of several. */
  readonly ip: string | null;
};

/** Called with each request of a visit as it leaves; returns the callback for its answer, which is not called if none comes. */
export type ExchangeRecorder = (sent: Sent) => (received: Received) => void;
