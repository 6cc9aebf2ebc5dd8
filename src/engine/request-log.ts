/** The log of work requests, kept 24 h. */
export type RequestLog = Record<never, never>;
