import { startServerProcess } from '#bench/processes.ts';
import { buildArray } from '#bench/world/prose.ts';
import type { RenderOrder } from './render-all.ts';

/** The site of origin.ts, which runs in its own process. */
export type Site = {
  readonly origin: string;
  /** Hosts (with port) from which its pages load. */
  readonly hosts: readonly string[];
  readonly close: () => Promise<void>;
};

/** Half of the pages are app shells. */
const KINDS = ['app', 'article', 'app', 'list'] as const;

export async function openSite(): Promise<Site> {
  const { origin: said, close } = await startServerProcess('browser/origin.ts');
  const [origin = '', stranger = ''] = said.split(' ');
  return { origin, hosts: [origin, stranger].map((one) => new URL(one).host), close };
}

export function listAddresses({ origin }: Site, pages: number): RenderOrder['addresses'] {
  return buildArray(pages, (at) => ({
    url: `${origin}/${KINDS[at % KINDS.length] ?? 'app'}/${at}`,
    marker: `ground ${at}<`,
  }));
}
