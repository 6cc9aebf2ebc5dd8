import { startServerProcess } from '../child.ts';
import { buildArray } from '#bench/world/prose.ts';
import type { RenderOrder } from './rendering.ts';

/** The site of origin.ts, in a process of its own. */
export type Site = {
  readonly origin: string;
  /** Hosts and ports that its pages load from. */
  readonly hosts: readonly string[];
  readonly close: () => Promise<void>;
};

/** Half of the pages are shells. */
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
