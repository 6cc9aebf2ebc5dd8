import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { buildHtmlReply, type PageReply } from '#demo/layout.ts';

/** One request to a mocked site. */
export type MockCall = {
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
export type MockSite = {
  readonly site: string;
  readonly origins: Readonly<Record<string, (call: MockCall) => PageReply | null>>;
};

/** A JSON answer. */
export function buildJsonReply(value: unknown, status = 200, headers: PageReply['headers'] = {}): PageReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

const SITES = join(import.meta.dirname, '../../packages/sites/src');

/** A page that stands among the cases of a site, as its endpoints are tested with it. */
export function readSyntheticPage(site: string, name: string): PageReply {
  const body = readFileSync(join(SITES, site, 'fixtures', name), 'utf8');
  if (name.endsWith('.json'))
    return { status: 200, headers: { 'content-type': 'application/json; charset=UTF-8' }, body };
  if (name.endsWith('.xml'))
    return { status: 200, headers: { 'content-type': 'application/atom+xml; charset=UTF-8' }, body };
  return buildHtmlReply(body);
}
