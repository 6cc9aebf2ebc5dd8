/** A request as it is sent. */
export type SentRequest = {
  readonly url: URL;
  /** Alternating names and values, in order. */
  readonly headers: readonly string[];
};

/** Why a body ended early: a size limit, a time limit, or the server. */
export type BodyCut = 'length' | 'time' | 'disconnect';

/** The head of a response as received; strings are Latin-1 bytes, except `reason`, which is UTF-8. */
export type ReceivedHead = {
  readonly protocol: 'http/1.1' | 'h2';
  readonly status: number;
  readonly reason: string;
  /** Alternating names and values, as sent. */
  readonly headers: readonly string[];
};

/** A response as received, without transfer coding but with content coding. */
export type ReceivedResponse = ReceivedHead & {
  readonly body: readonly Uint8Array[];
  /** Null if the body is complete. */
  readonly cut: BodyCut | null;
  /** The address that responded; null if it may have been one of several. */
  readonly ip: string | null;
};

/** Called with each request of a visit; returns the callback for its response, which is not called if there is none. */
export type ExchangeRecorder = (sent: SentRequest) => (received: ReceivedResponse) => void;
