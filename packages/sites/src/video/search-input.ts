import { z } from 'zod';
import { VIDEO_FEATURES, toSearchParams } from './search-params.ts';
import type { VideoFeature } from './search-params.ts';
import { VideoInput } from './videos-input.ts';

const { country, language } = VideoInput.shape;
const asked = (what: string) => z.boolean().default(false).describe(`Only ${what}`);

export const SearchInput = z.object({
  search: z.string().trim().min(1).max(1000).describe('Words to search for'),
  type: z.enum(['video', 'channel', 'playlist', 'short', 'all']).default('video').describe('What to look for'),
  upload_date: z.enum(['today', 'week', 'month', 'year']).optional().describe('Published within'),
  duration: z.enum(['short', 'medium', 'long']).optional().describe('Under 3 minutes, 3 to 20, or above 20'),
  sort_by: z
    .enum(['relevance', 'popularity', 'upload_date', 'rating'])
    .default('relevance')
    .describe(
      'The site sorts by relevance and popularity; by upload_date each page is sorted by itself, rating is not given',
    ),
  live: asked('what is live'),
  hd: asked('high definition'),
  '4k': asked('4K'),
  hdr: asked('HDR'),
  '360': asked('videos in 360 degrees'),
  vr180: asked('VR180'),
  '3d': asked('3D'),
  subtitles: asked('what has subtitles'),
  creative_commons: asked('what is under a Creative Commons licence'),
  location: asked('what names a place'),
  purchased: asked('what was bought'),
  country,
  language,
});

export type SearchInput = z.output<typeof SearchInput>;

/** The filter of a search in the site's own words, null for none. */
export function paramsOf(input: SearchInput): string | null {
  const { type, upload_date, duration, sort_by: order } = input;
  const features = FEATURE_NAMES.filter((name) => input[name]);
  return toSearchParams({ type, upload_date, duration, features, popular: order === 'popularity' });
}

const isFeature = (name: string): name is VideoFeature => Object.hasOwn(VIDEO_FEATURES, name);
const FEATURE_NAMES: readonly VideoFeature[] = Object.keys(VIDEO_FEATURES).filter(isFeature);
