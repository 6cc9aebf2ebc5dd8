import { z } from 'zod';
import { answerEmpty } from '#sites/framework/answers.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { getPath, toLine, toArray } from '#extract/values/raw.ts';
import { buildTabRequest, ProfileInput, readProfileReference } from './addresses.ts';
import { findProfile, Image, parseImage } from './shared.ts';
import { answerMissingRecord, answerMissingList, markIncomplete, HOME, facebook } from './site.ts';

const Photo = z.object({
  id: z.string(),
  url: z.string(),
  image_url: z.string(),
  ...Image.omit({ url: true }).shape,
  set_id: z.string().nullable().describe('Id of its album'),
  created_at: z.string().nullable().describe('Null for photos of a grid, which has no dates'),
});

/** The newest pictures of a page: those in its grid. */
export const facebookPhotos = facebook({
  path: '/photos',
  summary: "A page's photo grid",
  input: ProfileInput,
  anyOf: ['id', 'username', 'url'],
  record: z.object({ photos: z.array(Photo).readonly() }),
  aliases: { username: ['handle', 'page'], limit: ['per_page'] },
  list: 'photos',
  limit: { default: 20, max: 50 },
  expected: ['photos.url', 'photos.image_url', 'photos.width', 'photos.alt'],
  canary: { username: 'bbcnews' },
  request: (input, site) => buildTabRequest(readProfileReference(input, site), 'photos'),
  parse: readPhotos,
});

/** Reads the grid of pictures. */
function readPhotos(source: SourcePage, input: ProfileInput, site: SiteContext) {
  const parsed = parsePage(source.body, source.url);
  if (findProfile(source, parsed, readProfileReference(input, site)) === null)
    return answerMissingRecord(source, 'the requested page is missing');
  const grids = listObjectsWith(parsed, 'style_renderer')
    .map((one) => one['style_renderer'])
    .filter((one) => toLine(getPath(one, '__typename')) === 'TimelineAppCollectionPhotosRenderer')
    .map((one) => getPath(one, 'collection', 'pageItems'));
  const edges = grids.flatMap((grid) => toArray(getPath(grid, 'edges')));
  const read = edges.flatMap((edge) => parsePhoto(getPath(edge, 'node')) ?? []);
  const photos = [...Map.groupBy(read, ({ id }) => id).values()].flatMap(([one]) => one ?? []);
  const hasMore = grids.some((grid) => getPath(grid, 'page_info', 'has_next_page') === true);
  if (photos.length > 0) return markIncomplete({ photos }, hasMore);
  const isNothing = edges.length === 0 && !hasMore && grids.some((grid) => Array.isArray(getPath(grid, 'edges')));
  return isNothing ? answerEmpty() : answerMissingList(source, 'the photos of the page are missing');
}

/** Parses a picture of the grid. Null for a video. */
function parsePhoto(item: unknown): z.input<typeof Photo> | null {
  const photo = getPath(item, 'node');
  const id = toLine(getPath(photo, 'id'));
  if (id === null || !/^\d{5,25}$/.test(id) || (toLine(getPath(photo, '__typename')) ?? 'Photo') !== 'Photo')
    return null;
  const caption = getPath(photo, 'accessibility_caption') ?? getPath(item, 'accessibility_caption');
  const image = parseImage(getPath(photo, 'viewer_image'), caption) ?? parseImage(getPath(item, 'image'), caption);
  if (image === null) return null;
  const { url: address, ...shown } = image;
  const place = URL.parse(toLine(getPath(item, 'url') ?? getPath(photo, 'url')) ?? '', HOME);
  const set = place?.searchParams.get('set') ?? null;
  return { id, url: `${HOME}/photo/?fbid=${id}`, image_url: address, ...shown, set_id: set, created_at: null };
}
