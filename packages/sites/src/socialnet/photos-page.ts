import { z } from 'zod';
import { empty } from '#sites/framework/answers.ts';
import type { SiteView, SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { at, line, list } from '#extract/values/raw.ts';
import { imageOf, ShownImage } from './media.ts';
import { askedProfileOf } from './profile-input.ts';
import type { ProfileInput } from './profile-input.ts';
import { shownProfile } from './profile.ts';
import { absent, heldBy, SOCIAL_WEB, withheld } from './site.ts';

export const Photo = z.object({
  id: z.string(),
  url: z.string(),
  image_url: z.string(),
  ...ShownImage.omit({ url: true }).shape,
  set_id: z.string().nullable().describe('Of the album that it is shown in'),
  created_at: z.string().nullable().describe('Null in a grid, which does not tell it'),
});

/** Reads the pictures of a page's grid. */
export function readPhotos(source: SourcePage, input: ProfileInput, site: SiteView) {
  const parsed = parsePage(source.body, source.url);
  if (shownProfile(source, parsed, askedProfileOf(input, site)) === null) return absent(source, 'the page asked for');
  const grids = objectsWith(parsed, 'style_renderer')
    .map((one) => one['style_renderer'])
    .filter((one) => line(at(one, '__typename')) === 'TimelineAppCollectionPhotosRenderer')
    .map((one) => at(one, 'collection', 'pageItems'));
  const edges = grids.flatMap((grid) => list(at(grid, 'edges')));
  const read = edges.flatMap((edge) => toPhoto(at(edge, 'node')) ?? []);
  const photos = [...Map.groupBy(read, ({ id }) => id).values()].flatMap(([one]) => one ?? []);
  const hasMore = grids.some((grid) => at(grid, 'page_info', 'has_next_page') === true);
  if (photos.length > 0) return heldBy({ photos }, hasMore);
  const isNothing = edges.length === 0 && !hasMore && grids.some((grid) => Array.isArray(at(grid, 'edges')));
  return isNothing ? empty() : withheld(source, 'the photos of the page');
}

/** A picture of the grid; a video there is none. */
function toPhoto(item: unknown): z.input<typeof Photo> | null {
  const photo = at(item, 'node');
  const id = line(at(photo, 'id'));
  if (id === null || !/^\d{5,25}$/.test(id) || (line(at(photo, '__typename')) ?? 'Photo') !== 'Photo') return null;
  const caption = at(photo, 'accessibility_caption') ?? at(item, 'accessibility_caption');
  const image = imageOf(at(photo, 'viewer_image'), caption) ?? imageOf(at(item, 'image'), caption);
  if (image === null) return null;
  const { url: address, ...shown } = image;
  const place = URL.parse(line(at(item, 'url') ?? at(photo, 'url')) ?? '', SOCIAL_WEB);
  const set = place?.searchParams.get('set') ?? null;
  return { id, url: `${SOCIAL_WEB}/photo/?fbid=${id}`, image_url: address, ...shown, set_id: set, created_at: null };
}
