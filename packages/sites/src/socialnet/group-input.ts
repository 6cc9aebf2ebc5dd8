import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refuseAddress } from './address-kinds.ts';
import { permalinkAt } from './permalink.ts';

export const GroupInput = z.object({
  id: z.string().min(1).max(100).optional().describe('Number of the group, or the name of its address; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the group'),
});

const WORD = /^[A-Za-z0-9][A-Za-z0-9.]{1,99}$/;
/** First parts below the groups that are none. */
const TAKEN = /^(?:categories|create|discover|feed|joins|notifications|requests|search)$/i;

/** The number or name by which a group is asked for. Throws `not_found`, and `invalid_request` for another address. */
export function groupWordOf({ id, url }: z.output<typeof GroupInput>, site: Pick<SiteView, 'locate'>): string {
  if (id !== undefined) {
    const word = id.trim();
    return isWord(word) ? word : refuseReference('id', 'is no number or name of a group');
  }
  const path = site.locate(url ?? '')?.path ?? '';
  const word = permalinkAt(path) === null ? groupWordAt(path) : null;
  return word ?? refuseAddress(path, 'a group');
}

/** Which group a path of the site belongs to; null for any other. */
export function groupWordAt(path: string): string | null {
  const word = /^\/groups\/([^/?#]+)/.exec(path)?.[1] ?? '';
  return isWord(word) ? word : null;
}

function isWord(word: string): boolean {
  return WORD.test(word) && !TAKEN.test(word);
}
