import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '#demo/reply.ts';

/** One request to a rehearsed site. */
export type SiteCall = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** How often this path was asked since the world opened, this call included. */
  readonly visits: number;
  /** Where the origins of the site are, by name. */
  readonly origins: Readonly<Record<string, string>>;
};

/** A site as we rehearse it: pages made by us in its documented format. Each origin answers, or says that it has nothing. */
export type SitePages = {
  readonly site: string;
  readonly origins: Readonly<Record<string, (call: SiteCall) => Reply | null>>;
};

/** A JSON answer. */
export function json(value: unknown, status = 200, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}
