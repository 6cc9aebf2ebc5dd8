import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { listSiteFolders } from '#testkit/sites/site-folders.ts';

/** One request to a mock site. */
export type MockCall = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Number of requests for this path since the start, including this one. */
  readonly visits: number;
  /** The origins of the site by name. */
  readonly origins: Readonly<Record<string, string>>;
};

/** A mock site with synthetic pages in the documented format. Each origin returns a response, or null for 404. */
export type MockSite = {
  readonly site: string;
  readonly origins: Readonly<Record<string, (call: MockCall) => PageReply | null>>;
};

/** A JSON response. */
export function buildJsonReply(value: unknown, status = 200, headers: PageReply['headers'] = {}): PageReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

const FOLDERS = listSiteFolders();

/** Reads a synthetic page from the test cases of a site. */
export function readSyntheticPage(site: string, name: string): PageReply {
  const body = readFileSync(join(FOLDERS.get(site) ?? '', 'fixtures', name), 'utf8');
  if (name.endsWith('.json'))
    return { status: 200, headers: { 'content-type': 'application/json; charset=UTF-8' }, body };
  if (name.endsWith('.xml'))
    return { status: 200, headers: { 'content-type': 'application/atom+xml; charset=UTF-8' }, body };
  return buildHtmlReply(body);
}
