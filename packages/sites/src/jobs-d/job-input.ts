import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { JOBS_D_PLACES } from './site.ts';

export const JobDInput = z.object({
  job_id: z.string().min(1).max(300).optional().describe('As the search gives it'),
  url: z.url().max(2000).optional().describe('The page of the job'),
});

export type JobDInput = z.output<typeof JobDInput>;

const GUID = /(?:^|\/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=[/?#]|$)/i;

/** The number of a job in an address or alone, null where there is none. */
export function jobGuidIn(given: string): string | null {
  return GUID.exec(given.trim())?.[1]?.toLowerCase() ?? null;
}

/** The number of the wanted job. Throws `not_found`, and `invalid_request` for another address. */
export function wantedGuid({ job_id: given, url }: JobDInput, site: SiteView): string {
  const isAddress = given === undefined || given.includes('://');
  const place = isAddress ? site.locate(given ?? url ?? '') : null;
  const name = isAddress ? (/^\/job-detail\/([^/?#]+)/.exec(place?.path ?? '')?.[1] ?? '') : given;
  const id = jobGuidIn(name);
  if (id !== null) return id;
  if (!isAddress) return refuseReference('job_id', 'is no job of this board');
  const parameter = given === undefined ? 'url' : 'job_id';
  return refusePlace({ parameter, place, kinds: JOBS_D_PLACES, wanted: 'a job' });
}
