import { canonicalKey } from '#extract/urls/canonical-key.ts';
import type { FoundResult } from './backend.ts';

/** The results of one engine, best first. */
export type RankedList = { readonly engine: string; readonly results: readonly FoundResult[] };

export type FusedResult = FoundResult & { readonly engines: readonly string[] };

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): it keeps a first place of one engine
 * from outweighing what several agree on.
 */
const RANK_CONSTANT = 60;

/** Joins lists by reciprocal rank; results of one address are one, with the fullest text among them. */
export function fuse(lists: readonly RankedList[]): readonly FusedResult[] {
  const byKey = new Map<string, { result: FusedResult; score: number }>();
  for (const { engine, results } of lists) {
    for (const [at, result] of results.entries()) {
      const key = addressKey(result.url);
      const known = byKey.get(key);
      const score = 1 / (RANK_CONSTANT + at + 1);
      if (known === undefined) byKey.set(key, { result: { ...result, engines: [engine] }, score });
      // A second mention by the same engine says nothing new.
      else if (!known.result.engines.includes(engine)) {
        byKey.set(key, { result: joined(known.result, result, engine), score: known.score + score });
      }
    }
  }
  return [...byKey.values()].toSorted((one, other) => other.score - one.score).map(({ result }) => result);
}

/** An address without its scheme, `www.` and a final slash, which engines write in different ways. */
function addressKey(url: string): string {
  return canonicalKey(url)
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/\/$/, '');
}

function joined(known: FusedResult, other: FoundResult, engine: string): FusedResult {
  return {
    ...known,
    title: known.title === '' ? other.title : known.title,
    description: known.description.length >= other.description.length ? known.description : other.description,
    publishedAt: known.publishedAt ?? other.publishedAt,
    language: known.language ?? other.language,
    imageUrl: known.imageUrl ?? other.imageUrl,
    text: known.text ?? other.text,
    engines: [...known.engines, engine],
  };
}
