import { z } from 'zod';
import { parseXml, type XmlElement } from '#extract/converters/xml.ts';
import { readAttributeAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { getPath, toLine, toArray, toMediaUrl, toTimestamp } from '#extract/values/raw.ts';
import { answerEmpty, requestMore, buildPage, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { RequestContext, SiteContext, SiteRequest, SourcePage } from '#sites/framework/request.ts';
import {
  AccountInput,
  buildAccountRequest,
  buildResourceRequest,
  findAccountName,
  Pin,
  readAccount,
  readResource,
  toPin,
} from './shared.ts';
import { HOME, pinterest } from './site.ts';

const PinsInput = AccountInput.extend({
  type: z
    .enum(['created', 'saved'])
    .default('created')
    .describe('Pins that the account created, or all pins on its boards'),
});

const PinsAnswer = z.object({ pins: z.array(Pin).readonly() });

type PinsSource = EndpointSource<typeof PinsInput, typeof PinsAnswer>;

/** The API. Created pins are requested by the id of the account, so the account is requested first. */
const resourceSource: PinsSource = {
  name: 'resource',
  request(input, site) {
    const username = findAccountName(input, site);
    const { user, bookmark } = parseToken(site.cursor);
    if (input.type === 'saved') return buildSavedRequest({ username, bookmark }, site);
    return user === null
      ? buildAccountRequest(username, site)
      : buildCreatedRequest({ username, user, bookmark }, site);
  },
  parse(page, input, site) {
    const username = findAccountName(input, site);
    const token = parseToken(site.cursor);
    if (input.type === 'saved') return readPins(page.body, { username, user: null });
    if (typeof page.carry === 'string') return readPins(page.body, { username, user: page.carry });
    if (token.user !== null) return readPins(page.body, { username, user: token.user });
    const read = readAccount(page.body, username);
    if ('refusal' in read) return read.refusal;
    const { id } = read.account;
    if (id === null) return unusable('the number of the account is missing');
    return requestMore(buildCreatedRequest({ username, user: id, bookmark: null }, { now: 0 }), id);
  },
};

/** The public feed of an account with its newest pins. */
const feedSource = {
  name: 'feed',
  lacks: 'the feed has only the newest pins, both created and saved, with title, picture and date',
  when: (site: SiteContext): boolean => site.cursor === null,
  request: (input: AccountInput, site: SiteContext) => ({
    origin: 'web',
    path: `/${findAccountName(input, site)}/feed.rss`,
  }),
  parse(page: SourcePage, input: AccountInput, site: SiteContext) {
    const channel = parseXml(page.body)?.children.find(({ name }) => name === 'channel');
    const own = URL.parse(readField(channel, 'link') ?? '', HOME)
      ?.pathname.split('/')[1]
      ?.toLowerCase();
    if (channel === undefined || own !== findAccountName(input, site))
      return unusable('the feed of the account is missing');
    const items = channel.children.filter(({ name }) => name === 'item');
    const pins = items.flatMap((item) => toFeedPin(item) ?? []);
    if (pins.length > 0) return { pins };
    return items.length === 0 && page.body.includes('</channel>') ? answerEmpty() : unusable('no readable pins');
  },
};

export const pinterestPins = pinterest({
  path: '/pins',
  summary: 'Pins of an account',
  input: PinsInput,
  anyOf: ['username', 'url'],
  aliases: { limit: ['per_page'] },
  record: PinsAnswer,
  list: 'pins',
  limit: { default: 25, max: 50 },
  sources: [resourceSource, feedSource],
  // The lists of an account have no times; its feed and the pages of pins do.
  expected: ['pins.url', 'pins.image_url', 'pins.pinner', 'pins.board'],
  canary: { username: 'pinterest' },
});

function readField(element: XmlElement | undefined, name: string): string | null {
  return toLine(element?.children.find((child) => child.name === name)?.text ?? null);
}

function toFeedPin(item: XmlElement): Pin | null {
  const id = /\/pin\/(?:[^/]*--)?(\d{6,25})\b/.exec(readField(item, 'link') ?? readField(item, 'guid') ?? '')?.[1];
  const pin = toPin({ id, title: readField(item, 'title') });
  if (pin === null) return null;
  const shown = parsePage(readField(item, 'description') ?? '', HOME);
  return {
    ...pin,
    created_at: toTimestamp(readField(item, 'pubdate'), 'en-US'),
    image_url: toMediaUrl(readAttributeAt(shown, 'img', 'src'), HOME),
  };
}

/** The number of pins in one API answer. */
const PAGE_SIZE = 25;

/** The position in a list: the id of the account, if needed, and the site's bookmark. */
type PinsToken = { readonly user: string | null; readonly bookmark: string | null };

/** Parses a cursor; both members are null without one. */
function parseToken(cursor: string | null): PinsToken {
  const [, user, bookmark] = /^(\d{0,25}):(.+)$/s.exec(cursor ?? '') ?? [];
  return { user: user === undefined || user === '' ? null : user, bookmark: bookmark ?? null };
}

type ListRequest = { readonly username: string; readonly bookmark: string | null };

/** Builds the request of pins that an account created. */
function buildCreatedRequest(
  { username, user, bookmark }: ListRequest & { readonly user: string },
  site: Pick<RequestContext, 'now'>,
): SiteRequest {
  const options = {
    exclude_add_pin_rep: true,
    field_set_key: 'grid_item',
    is_own_profile_pins: false,
    page_size: PAGE_SIZE,
    user_id: user,
    username,
    ...buildBookmarks(bookmark),
  };
  const page = `/${username}/_created/`;
  return buildResourceRequest({ name: 'UserActivityPins', page, handler: 'www/[username]/_created.js', options }, site);
}

/** Builds the request of all pins that an account saved. */
function buildSavedRequest({ username, bookmark }: ListRequest, site: Pick<RequestContext, 'now'>): SiteRequest {
  const options = {
    field_set_key: 'grid_item',
    is_own_profile_pins: false,
    page_size: PAGE_SIZE,
    username,
    ...buildBookmarks(bookmark),
  };
  const page = `/${username}/_saved/`;
  return buildResourceRequest({ name: 'UserPins', page, handler: 'www/[username]/_saved.js', options }, site);
}

function buildBookmarks(bookmark: string | null) {
  return bookmark === null ? {} : { bookmarks: [bookmark] };
}

/** Reads the pins of an API answer and the next cursor. */
function readPins(body: string, { username, user }: { readonly username: string; readonly user: string | null }) {
  const read = readResource(body);
  if ('refusal' in read) return read.refusal;
  const { data, next, options } = read;
  if ((toLine(getPath(options, 'username'))?.toLowerCase() ?? username) !== username)
    return unusable('pins of another account');
  if (!Array.isArray(data)) return unusable('no list of pins');
  const pins = toArray(data).flatMap((one) => toPin(one) ?? []);
  const token = next === null ? null : `${user ?? ''}:${next}`;
  if (pins.length > 0) return buildPage({ pins }, token);
  return data.length === 0 ? answerEmpty() : unusable('no readable pins');
}

const SEARCH_PAGE_SIZE = 25;

export const pinterestSearch = pinterest({
  path: '/search',
  summary: 'Search pins by keyword',
  input: z.object({ search: z.string().trim().min(1).max(500).describe('Words to search for') }),
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], limit: ['per_page'] },
  record: z.object({
    results: z.array(Pin).readonly(),
    total: z.null().describe('Always null: the site does not show the total'),
  }),
  list: 'results',
  limit: { default: SEARCH_PAGE_SIZE, max: 50 },
  expected: ['results.title', 'results.image_url', 'results.pinner', 'results.created_at'],
  canary: { search: 'windmill' },
  request({ search }, site) {
    const bookmarks = site.cursor === null ? {} : { bookmarks: [site.cursor] };
    const options = { query: search, scope: 'pins', rs: 'typed', page_size: SEARCH_PAGE_SIZE, ...bookmarks };
    const page = `/search/pins/?${new URLSearchParams({ q: search, rs: 'typed' })}`;
    return buildResourceRequest({ name: 'BaseSearch', page, handler: 'www/search/[scope].js', options }, site);
  },
  parse({ body }, { search }) {
    const read = readResource(body);
    if ('refusal' in read) return read.refusal;
    const found = getPath(read.data, 'results');
    if (!Array.isArray(found)) return unusable('the results of a search are missing');
    const shownSearch = toLine(getPath(read.options, 'query')) ?? search;
    if (shownSearch.toLowerCase() !== search.toLowerCase()) return unusable('results of another search');
    // The list contains stories and advice between the pins.
    const results = toArray(found).flatMap((one) => (getPath(one, 'type') === 'pin' ? (toPin(one) ?? []) : []));
    if (results.length > 0) return buildPage({ results, total: null }, read.next);
    return found.length === 0 ? answerEmpty() : unusable('no readable pins');
  },
});
