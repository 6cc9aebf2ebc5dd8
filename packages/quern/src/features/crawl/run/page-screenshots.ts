import type { Page } from '#access/page.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import type { ArtifactMember, Artifacts, CallArtifacts } from '#engine/results/artifacts.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { PageOptions } from '#features/crawl/crawl-options.ts';

/** The screenshot of a page: its member of the result, and its file, which the commit of the page makes readable. */
export type PageScreenshot = {
  readonly members: { readonly screenshot?: ArtifactMember | null };
  /** Null if there is none, or if the call makes it readable. */
  readonly file: Pick<CallArtifacts, 'add' | 'discard'> | null;
};

/** Stores the screenshot of a page, if one was requested. Throws `StoreUnavailable`. */
export type StoreScreenshot = (page: Page, options: Pick<PageOptions, 'visit'>) => Promise<PageScreenshot>;

type ScreenshotParts = {
  readonly artifacts: Pick<Artifacts, 'begin'>;
  readonly owner: Parameters<Artifacts['begin']>[0];
  /** Stores a file of an inline call; absent for a job, whose files belong to its pages. */
  readonly storeArtifact: WorkCall['storeArtifact'] | undefined;
};

export function buildScreenshotStore({ artifacts, owner, storeArtifact }: ScreenshotParts): StoreScreenshot {
  return async function storeScreenshot({ artifacts: made = [] }, { visit }) {
    if ((visit.browser?.screenshot ?? null) === null) return { members: {}, file: null };
    const shot = made.find(({ kind }) => kind === 'screenshot');
    if (shot === undefined) return { members: { screenshot: null }, file: null };
    if (owner.jobId !== null) {
      const file = artifacts.begin(owner);
      return { members: { screenshot: await file.store(shot) }, file };
    }
    if (storeArtifact === undefined) throw new InvariantError('an inline call stores its files');
    return { members: { screenshot: await storeArtifact(shot) }, file: null };
  };
}
