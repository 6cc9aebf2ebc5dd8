import { z } from 'zod';
import { notFound, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { findCanonicalUrl, findOpenGraph, listEntities } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { findObjects, mergeFragments } from '#extract/json/find-objects.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getPath, toDurationMs, toLine } from '#extract/values/raw.ts';
import { buildResourceRequest, Pin, readPinId, readResource, readState, refuseAddress, toPin } from './shared.ts';
import { HOME, pinterest } from './site.ts';

const PinInput = z.object({
  url: z.url().max(2000).optional().describe('Address of the pin, short or full'),
  id: z.string().min(1).max(100).optional().describe('Number of the pin'),
});

type PinInput = z.output<typeof PinInput>;

const PinAnswer = z.object({ pin: Pin });

type PinSource = EndpointSource<typeof PinInput, typeof PinAnswer>;

const resourceSource: PinSource = {
  name: 'resource',
  // Only the page of a short address tells the id of the pin.
  when: (site, input) => 'id' in findPin(input, site),
  request(input, site) {
    const wanted = findPin(input, site);
    const id = 'id' in wanted ? wanted.id : '';
    const options = { id, field_set_key: 'unauth_react_main_pin' };
    return buildResourceRequest({ name: 'Pin', page: `/pin/${id}/`, handler: 'www/pin/[id].js', options }, site);
  },
  parse({ body }, input, site) {
    const read = readResource(body);
    if ('refusal' in read) return read.refusal;
    const pin = toPin(read.data);
    const wanted = findPin(input, site);
    return pin !== null && 'id' in wanted && pin.id === wanted.id ? { pin } : unusable('the requested pin is missing');
  },
};

const pageSource: PinSource = {
  name: 'page',
  request(input, site) {
    const wanted = findPin(input, site);
    return 'id' in wanted
      ? { origin: 'web', path: `/pin/${wanted.id}/` }
      : { origin: 'short', path: `/${wanted.short}` };
  },
  parse(source, input, site) {
    const wanted = findPin(input, site);
    const read = readPinPage(source, 'id' in wanted ? wanted.id : null);
    if (read === 'gone') return notFound('there is no such pin');
    return read === null ? unusable('the requested pin is missing') : { pin: read };
  },
};

export const pinterestPin = pinterest({
  path: '/pin',
  summary: 'One pin by its url or id',
  input: PinInput,
  anyOf: ['url', 'id'],
  record: PinAnswer,
  sources: [resourceSource, pageSource],
  expected: ['pin.title', 'pin.image_url', 'pin.pinner', 'pin.board', 'pin.created_at'],
  canary: { url: 'https://www.pinterest.com/pin/99360735500167749/' },
});

/** Parses the id in the path of a pin; null for any other path. */
function parsePinPath(path: string): string | null {
  return readPinId(/^\/pin\/(?:[^/?#]*--)?(\d+)(?:[/?#]|$)/.exec(path)?.[1]);
}

/** Finds the id of the requested pin, or the code of its short address. Throws `not_found`, and `invalid_request` for another address. */
function findPin({ id, url }: PinInput, site: SiteContext): { readonly id: string } | { readonly short: string } {
  if (id !== undefined) return { id: readPinId(id.trim()) ?? refuseReference('id', 'is not a pin of this site') };
  const place = site.locate(url ?? '');
  const code = place?.origin === 'short' ? /^\/([A-Za-z0-9]{4,20})\/?$/.exec(place.path)?.[1] : undefined;
  if (code !== undefined) return { short: code };
  const pinId = place?.origin === 'web' ? parsePinPath(place.path) : null;
  return { id: pinId ?? refuseAddress(place?.origin === 'web' ? place.path : '', 'a pin') };
}

/**
 * Reads the pin of its page from the state, else from structured data. `id` is null for a short address. The page of a pin
 * that repeats another pin describes the other one, to which its canonical address links.
 */
function readPinPage(source: SourcePage, id: string | null): Pin | 'gone' | null {
  const page = parsePage(source.body, source.url);
  const { pathname } = new URL(source.url);
  if (pathname === '/' || pathname === '/ideas/') return 'gone';
  const requested = id ?? parsePinPath(pathname);
  const meant = [requested, parsePinPath(URL.parse(findCanonicalUrl(page) ?? '', HOME)?.pathname ?? '')];
  const relayed = listRelayPins(page);
  for (const one of meant) {
    if (one === null) continue;
    const known = [findStatePin(page, one), ...relayed.filter((pin) => toLine(pin['id']) === one)].filter(
      (pin) => pin !== undefined,
    );
    const pin = known.map((raw) => toPin(raw)).find((read) => read !== null && (read.title ?? read.image_url) !== null);
    if (pin !== null && pin !== undefined) return { ...pin, video: pin.video ?? readStructuredVideo(page) };
  }
  if (relayed.some((pin) => pin['__typename'] === 'PinNotFound')) return 'gone';
  return requested === null || !meant.slice(1).includes(requested) ? null : readStructuredPin(page, requested);
}

/** Reads a pin from structured data. */
function readStructuredPin(page: ParsedPage, id: string): Pin | null {
  const posts = listEntities(page, 'SocialMediaPosting', 'VideoObject').map(({ members }) => members);
  const post: JsonObject = mergeFragments(posts);
  const title = toLine(post['headline']) ?? toLine(post['name']) ?? findOpenGraph(page, 'og:title');
  const pin = toPin({
    id,
    title,
    description: post['articleBody'] ?? post['description'],
    created_at: post['datePublished'] ?? post['uploadDate'],
    images: { orig: { url: findOpenGraph(page, 'og:image') } },
  });
  if (pin === null || posts.length === 0 || title === null) return null;
  const video = readStructuredVideo(page);
  return { ...pin, video, is_video: video !== null };
}

function readStructuredVideo(page: ParsedPage): Pin['video'] {
  const film = listEntities(page, 'VideoObject')[0]?.members;
  const address = toLine(film?.['contentUrl']);
  if (film === undefined || address === null) return null;
  const raw = { url: address, thumbnail: film['thumbnailUrl'], duration: toDurationMs(film['duration']) };
  return toPin({ id: '000000', videos: { video_list: { file: raw } } })?.video ?? null;
}

/** Finds a pin in the state of a page: among its pins, else among the stored API answers. */
function findStatePin(page: ParsedPage, id: string): unknown {
  const state = readState(page);
  const isIt = (one: JsonObject): boolean => toLine(one['id']) === id && isJsonObject(one['images']);
  return getPath(state, 'pins', id) ?? findObjects(getPath(state, 'resources'), isIt)[0];
}

/** Lists the pins of Relay answers in a page, with the member names of the older API. */
function listRelayPins(page: ParsedPage): readonly JsonObject[] {
  return listObjectsWith(page, 'v3GetPinQueryv2').flatMap((answer): readonly JsonObject[] => {
    const query = answer['v3GetPinQueryv2'];
    const pin = getPath(query, 'data');
    if (toLine(getPath(query, '__typename')) === 'PinNotFound') return [{ __typename: 'PinNotFound' }];
    const plain = toSnakeCase(pin, 0);
    if (!isJsonObject(plain)) return [];
    return [{ ...plain, id: plain['entity_id'], images: collectImages(plain) }];
  });
}

const MAX_DEPTH = 12;

/** Converts the member names of a value to snake case. */
function toSnakeCase(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((one) => toSnakeCase(one, depth + 1));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, one]) => {
    const plain = /^[a-z]+[A-Z]/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
    return [plain, toSnakeCase(one, depth + 1)] as const;
  });
  const own = Object.fromEntries(members);
  return 'entity_id' in own ? { ...own, id: own['entity_id'] } : own;
}

/** Collects `images_orig` and similar members in one object. */
function collectImages(pin: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(pin)
      .filter(([name]) => /^images_\w+$/.test(name))
      .map(([name, picture]) => [name.slice('images_'.length), picture]),
  );
}
