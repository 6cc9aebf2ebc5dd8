import type { ServiceError } from '#kernel/errors.ts';

/** The way of one visit through the egress proxy. */
export type Exit = {
  readonly username: string;
  readonly password: string;
  /** Why the last connection to the host of a URL did not come about, null if it did or none was asked for. */
  readonly failureOf: (url: URL) => ServiceError | null;
  /** Ends all its connections, and lets it open no other. */
  readonly revoke: () => void;
};
