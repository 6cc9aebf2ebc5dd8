import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, type Reply } from '#demo/reply.ts';
import { listSiteFolders } from '#testkit/sites/site-folders.ts';

const FOLDERS = listSiteFolders();

/** A page that stands among the cases of a site, as its endpoints are tested with it. */
export function madePage(site: string, name: string): Reply {
  const body = readFileSync(join(FOLDERS.get(site) ?? '', 'fixtures', name), 'utf8');
  if (name.endsWith('.json'))
    return { status: 200, headers: { 'content-type': 'application/json; charset=UTF-8' }, body };
  if (name.endsWith('.xml'))
    return { status: 200, headers: { 'content-type': 'application/atom+xml; charset=UTF-8' }, body };
  return html(body);
}
