import { z } from 'zod';
import { named } from '#extract/schema/names.ts';

/** A result as the page of an engine shows it; its address may still be none that anybody may visit. */
export const EngineResult = z.object({
  title: z.string(),
  url: z.string(),
  /** The address as the engine shows it, empty where it shows none. */
  url_shown: z.string(),
  description: z.string(),
  is_paid: z.boolean(),
  /** When it was published, in the engine's words. */
  published: z.string().nullable(),
  image_url: z.string().nullable(),
});

export type EngineResult = z.output<typeof EngineResult>;

const Link = z.object({
  title: z.string(),
  url: z.string(),
  source: z.string().nullable().describe('Publisher or site'),
});

/** What an engine shows beside its results; null where its page does not say, or is not read for it. */
export const EngineFeatures = named(
  'EngineFeatures',
  z.object({
    people_also_ask: z.array(z.string()).readonly().nullable(),
    related_searches: z.array(z.string()).readonly().nullable(),
    knowledge_panel: z
      .object({ title: z.string(), subtitle: z.string().nullable(), description: z.string().nullable() })
      .nullable(),
    top_stories: z.array(Link).readonly().nullable(),
    videos: z.array(Link).readonly().nullable(),
    local_results: z
      .array(z.object({ title: z.string(), details: z.string().nullable() }))
      .readonly()
      .nullable(),
    ai_overview: z.object({ text: z.string(), sources: z.array(Link).readonly() }).nullable(),
  }),
);

export type EngineFeatures = z.output<typeof EngineFeatures>;

/** One page of results of an engine, in the order in which it shows them. */
export const EngineRecord = z.object({
  results: z.array(EngineResult).readonly(),
  /** Null of an engine that found nothing. */
  has_more: z.boolean().nullable(),
  features: EngineFeatures.nullable(),
});

export type EngineRecord = z.output<typeof EngineRecord>;

/** A result that is organic and of which the engine says no more than these. */
export function toEngineResult({
  title,
  url,
  shown = null,
  description = null,
  ...rest
}: Pick<EngineResult, 'title' | 'url'> &
  Partial<Pick<EngineResult, 'is_paid' | 'published' | 'image_url'>> & {
    readonly shown?: string | null;
    readonly description?: string | null;
  }): EngineResult {
  return {
    title,
    url,
    url_shown: shown ?? '',
    description: description ?? '',
    is_paid: false,
    published: null,
    image_url: null,
    ...rest,
  };
}
