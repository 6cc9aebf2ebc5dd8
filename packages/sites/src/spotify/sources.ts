import type { z } from 'zod';
import { findCanonicalUrl } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toBoolean, toInteger, toLine, toArray, toMediaUrl } from '#extract/values/raw.ts';
import {
  requestMore,
  notFound,
  markPartial,
  type SiteAnswer,
  type SiteRecord,
  unusable,
} from '#sites/framework/answers.ts';
import {
  buildBearerHeader,
  hasOAuthClient,
  parseAccessToken,
  buildTokenRequest,
  type SiteRequest,
  type SiteContext,
  type SourcePage,
} from '#sites/framework/request.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import {
  type ArtistRef,
  buildIdentity,
  buildPartialIdentity,
  type EntityInput,
  type EntityKind,
  type Images,
  NO_TRACK_FACTS,
  parseId,
  parseImages,
  parseRelease,
  parseSingleImage,
  readEntityId,
  type Track,
} from './shared.ts';
import { HOME } from './site.ts';

type Sources<A extends AnswerSchema> = readonly EndpointSource<typeof EntityInput, A>[];

/** The requested entity, and the page of its list. */
export type EntityRequest = {
  readonly id: string;
  readonly uri: string;
  readonly language: string;
  readonly cursor: string | null;
  readonly limit: number | null;
};

/** The context of an answer to a query of the web player. */
export type QueryContext = EntityRequest & {
  /** Whether the data come from a page, which may have less than the answer to a query. */
  readonly isPage: boolean;
  /** Preview URLs by track id, which only the embedded player has. */
  readonly previews: unknown;
  /** The result of the previous query, undefined for the first. */
  readonly previous: unknown;
  /** Sends a further query; `without` is the answer if it fails. Null if there is no token. */
  readonly ask: ((query: GraphQuery, previous: unknown, without: object) => SiteAnswer) | null;
};

type AnswerSchema = z.ZodObject;
type ParsedEntity<A extends AnswerSchema> = z.input<A> | SiteRecord<z.input<A>> | SiteAnswer | null;

/**
 * Reads the entities of one kind from each form in which the site has them. A reader answers null for another entity.
 */
type EntityReader<A extends AnswerSchema> = {
  readonly kind: EntityKind;
  readonly answer: A;
  readonly buildQuery: (wanted: EntityRequest) => GraphQuery;
  /** The member of the query's answer that contains the entity. */
  readonly member: string;
  /** Parses the entity of a query's answer or of the mobile page, which has the same form. */
  readonly parseAnswer: (raw: unknown, context: QueryContext) => ParsedEntity<A>;
  readonly parseEmbed: (entity: unknown, wanted: EntityRequest) => z.input<A> | null;
  readonly parsePage: (page: ParsedPage, wanted: EntityRequest) => z.input<A> | null;
  readonly api: {
    readonly request: (wanted: EntityRequest) => Pick<SiteRequest, 'path' | 'query'>;
    readonly read: (raw: unknown, wanted: EntityRequest) => ParsedEntity<A>;
    readonly lacks: string;
  };
  /** Builds an entity from the name and picture in a link preview. */
  readonly buildFromLink: (name: string, images: Images, wanted: EntityRequest) => z.input<A>;
};

const EMBED_LACKS = 'the embedded player has only a part of the data';

/** Builds the sources of one kind of entity, the most complete first. */
export function buildEntitySources<A extends AnswerSchema>(reader: EntityReader<A>): Sources<A> {
  return [
    buildMobileSource(reader),
    buildEmbedSource(reader),
    buildApiSource(reader),
    buildPageSource(reader),
    buildOembedSource(reader),
  ];
}

function readRequest({ kind }: { readonly kind: EntityKind }, input: EntityInput, site: SiteContext): EntityRequest {
  const { id, uri } = buildIdentity(kind, readEntityId(input, kind, site));
  return { id, uri, language: input.language, cursor: site.cursor, limit: site.limit };
}

function buildPageRequest({ kind }: { readonly kind: EntityKind }, { id, language }: EntityRequest): SiteRequest {
  return { origin: 'web', path: `/${kind}/${id}`, language };
}

/** Only the embedded player has a visitor's token, so every list page after the first begins there. */
function buildPlayerRequest({ kind }: { readonly kind: EntityKind }, { id, language }: EntityRequest): SiteRequest {
  return { origin: 'web', path: `/embed/${kind}/${id}`, language };
}

/** The page for phones, which contains the answer to the query of its entity. */
function buildMobileSource<A extends AnswerSchema>(reader: EntityReader<A>): Sources<A>[number] {
  return {
    name: 'mobile',
    request(input, site) {
      const wanted = readRequest(reader, input, site);
      return wanted.cursor === null
        ? { ...buildPageRequest(reader, wanted), device: 'mobile' }
        : buildPlayerRequest(reader, wanted);
    },
    parse(page, input, site) {
      const wanted = readRequest(reader, input, site);
      if (wanted.cursor !== null) return parsePlayer(reader, page, wanted, site);
      const state = findJsonScript(parsePage(page.body, page.url), { id: 'initialState' });
      const raw = getPath(state, 'entities', 'items', wanted.uri);
      if (raw === undefined) return unusable(`no ${reader.kind} in the page for phones`);
      return (
        reader.parseAnswer(raw, { ...wanted, isPage: true, previews: null, previous: undefined, ask: null }) ??
        unusable(`the requested ${reader.kind} is missing`)
      );
    },
  };
}

/** The embedded player, and the query that its token allows. */
function buildEmbedSource<A extends AnswerSchema>(reader: EntityReader<A>): Sources<A>[number] {
  return {
    name: 'embed',
    request: (input, site) => buildPlayerRequest(reader, readRequest(reader, input, site)),
    parse: (page, input, site) => parsePlayer(reader, page, readRequest(reader, input, site), site),
  };
}

function parsePlayer<A extends AnswerSchema>(
  reader: EntityReader<A>,
  page: SourcePage,
  wanted: EntityRequest,
  site: SiteContext,
): z.input<A> | SiteRecord<z.input<A>> | SiteAnswer {
  const embedded = page.carry === undefined ? parseEmbed(parsePage(page.body, page.url)) : null;
  if (embedded !== null) return buildPlayerAnswer(reader, embedded, wanted, site);
  if (!page.body.trimStart().startsWith('{')) return unusable('no embedded player in the page');
  const read = parseGraph(page.body, reader.member);
  if ('answer' in read) return read.answer;
  const token = toLine(getPath(page.carry, 'token'));
  const previews = getPath(page.carry, 'previews') ?? null;
  const ask: QueryContext['ask'] =
    token === null
      ? null
      : (query, previous, without) =>
          requestMore(buildGraphRequest(query, token, site), { token, previews, previous }, without);
  const context = { ...wanted, isPage: false, previews, previous: getPath(page.carry, 'previous'), ask };
  return reader.parseAnswer(read.found, context) ?? unusable(`the requested ${reader.kind} is missing`);
}

function buildPlayerAnswer<A extends AnswerSchema>(
  reader: EntityReader<A>,
  { entity, uri, token, refusal }: EmbeddedPlayer,
  wanted: EntityRequest,
  site: SiteContext,
): SiteRecord<z.input<A>> | SiteAnswer {
  if (refusal !== null) return notFound(refusal);
  const isWanted = [uri, toLine(getPath(entity, 'uri')), toLine(getPath(entity, 'relatedEntityUri'))].includes(
    wanted.uri,
  );
  if (!isWanted) return unusable(`the requested ${reader.kind} is missing`);
  const known = wanted.cursor === null ? reader.parseEmbed(entity, wanted) : null;
  const alone = known === null ? null : markPartial(known, EMBED_LACKS);
  if (token === null) return alone ?? unusable('the token of a visitor is missing');
  const carry = { token, previews: listPreviews(entity) };
  return requestMore(buildGraphRequest(reader.buildQuery(wanted), token, site), carry, alone);
}

/** The API, with the operator's credentials. */
function buildApiSource<A extends AnswerSchema>(reader: EntityReader<A>): Sources<A>[number] {
  const { request, read, lacks } = reader.api;
  return {
    name: 'api',
    lacks,
    when: hasOAuthClient,
    request(input, site) {
      readRequest(reader, input, site);
      return buildTokenRequest(site, { origin: 'accounts', path: '/api/token' });
    },
    parse(page, input, site) {
      const wanted = readRequest(reader, input, site);
      const token = page.carry === undefined ? parseAccessToken(page) : null;
      if (token !== null)
        return requestMore({ origin: 'api', ...request(wanted), headers: buildBearerHeader(token) }, { token });
      return read(parseJsonValue(page.body), wanted) ?? unusable(`the requested ${reader.kind} is missing`);
    },
  };
}

/** The page's structured data, and the lists that a browser renders. */
function buildPageSource<A extends AnswerSchema>(reader: EntityReader<A>): Sources<A>[number] {
  return {
    name: 'page',
    lacks: 'the public page has only a part of the data',
    request: (input, site) => buildPageRequest(reader, readRequest(reader, input, site)),
    parse(page, input, site) {
      const wanted = readRequest(reader, input, site);
      const html = parsePage(page.body, page.url);
      const shown = findCanonicalUrl(html);
      if (shown === null) return unusable('no address of its own in the page');
      if (parseId(shown, reader.kind) !== wanted.id) return unusable(`the requested ${reader.kind} is missing`);
      return reader.parsePage(html, wanted) ?? unusable(`the name of the ${reader.kind} is missing`);
    },
  };
}

/** The preview of a link to the entity. */
function buildOembedSource<A extends AnswerSchema>(reader: EntityReader<A>): Sources<A>[number] {
  return {
    name: 'oembed',
    lacks: 'the preview of a link has only name and picture',
    request(input, site) {
      const wanted = readRequest(reader, input, site);
      const { url } = buildIdentity(reader.kind, wanted.id);
      return { origin: 'web', path: '/oembed', query: { url }, language: wanted.language };
    },
    parse(page, input, site) {
      const wanted = readRequest(reader, input, site);
      const card = parseJsonValue(page.body);
      const name = toLine(getPath(card, 'title'));
      const player =
        toLine(getPath(card, 'iframe_url')) ?? /src="([^"]{1,500})"/.exec(toLine(getPath(card, 'html')) ?? '')?.[1];
      if (name === null || parseId(player, reader.kind) !== wanted.id)
        return unusable(`the requested ${reader.kind} is missing`);
      return reader.buildFromLink(name, parseSingleImage(getPath(card, 'thumbnail_url')), wanted);
    },
  };
}

/** Names of the web player's queries. */
type QueryName =
  | 'getTrack'
  | 'getAlbum'
  | 'queryArtistOverview'
  | 'fetchPlaylist'
  | 'queryShowMetadataV2'
  | 'queryPodcastEpisodes'
  | 'searchDesktop';

export type GraphQuery = {
  readonly query: QueryName;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly language: string;
};

/** Builds the request of a query with a visitor's token. */
export function buildGraphRequest(
  { query, variables, language }: GraphQuery,
  token: string,
  site: SiteContext,
): SiteRequest {
  const sha256Hash = site.constants[`hash_${query}`] ?? '';
  return {
    origin: 'graph',
    path: '/pathfinder/v1/query',
    query: {
      operationName: query,
      variables: JSON.stringify(variables),
      extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash } }),
    },
    headers: { ...buildBearerHeader(token), 'app-platform': 'WebPlayer' },
    language,
  };
}

/** Reads a member of a query's answer, or the answer for its error. */
export function parseGraph(
  body: string,
  member: string,
): { readonly found: unknown } | { readonly answer: SiteAnswer } {
  const answer = parseJsonValue(body);
  const [error] = toArray(getPath(answer, 'errors')).flatMap((one) => toLine(getPath(one, 'message')) ?? []);
  const data = getPath(answer, 'data');
  if (data === undefined) return { answer: unusable(error ?? 'no answer of the web player') };
  const entity = getPath(data, member);
  if (entity === undefined && error !== undefined) return { answer: unusable(error) };
  if (entity === undefined && !Object.hasOwn(Object(data), member)) return { answer: unusable(`no ${member}`) };
  const kind = toLine(getPath(entity, '__typename'));
  if (entity === undefined || kind === 'NotFound') return { answer: notFound('the site has no such thing') };
  return kind === 'GenericError' ? { answer: unusable('an error instead of the record') } : { found: entity };
}

/** The data of an embedded player. */
type EmbeddedPlayer = {
  readonly entity: unknown;
  /** The URI of the requested entity. The player of a show contains an episode. */
  readonly uri: string | null;
  /** The visitor's token for the site's queries. */
  readonly token: string | null;
  /** The reason why there is nothing to play, else null. */
  readonly refusal: string | null;
};

/** Parses an embedded player of either generation. Null for any other page. */
export function parseEmbed(page: ParsedPage): EmbeddedPlayer | null {
  const props = getPath(findJsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const state = getPath(props, 'state') ?? findJsonScript(page, { id: 'initial-state' });
  const status = toInteger(getPath(props, 'status'));
  const reason = toLine(getPath(props, 'forbiddenReason'));
  const gone = status === 404 ? 'the site has no such thing' : null;
  if (state === undefined && gone === null && reason === null) return null;
  return {
    entity: getPath(state, 'data', 'entity'),
    uri: toLine(getPath(state, 'data', 'embeded_entity_uri')),
    token: toLine(getPath(state, 'settings', 'session', 'accessToken')),
    refusal: gone ?? (reason === null ? null : `the site does not show it: ${reason}`),
  };
}

export function parseEmbedImages(entity: unknown): Images {
  return parseImages(getPath(entity, 'visualIdentity', 'image') ?? getPath(entity, 'coverArt', 'sources'));
}

/**
 * Parses the artists of an entity. If the player has them only as one line, the line is used if it holds a single
 * artist.
 */
export function parseEmbedArtists(entity: unknown): readonly ArtistRef[] | null {
  const named = toArray(getPath(entity, 'artists')).flatMap((one) => {
    const name = toLine(getPath(one, 'name'));
    return name === null ? [] : [{ ...buildPartialIdentity('artist', parseId(getPath(one, 'uri'), 'artist')), name }];
  });
  if (named.length > 0) return named;
  const alone = toLine(getPath(entity, 'subtitle'));
  return alone === null || /[,&]/.test(alone) ? null : [{ ...buildPartialIdentity('artist', null), name: alone }];
}

function parseEmbedPreview(entity: unknown): string | null {
  return toMediaUrl(getPath(entity, 'audioPreview', 'url'), HOME);
}

/** Parses a row of the player's list. Null if it is not a track. */
export function parseEmbedTrack(raw: unknown): Track | null {
  const id = parseId(getPath(raw, 'uri'), 'track');
  const name = toLine(getPath(raw, 'title')) ?? toLine(getPath(raw, 'name'));
  if (id === null || name === null) return null;
  return {
    ...buildIdentity('track', id),
    ...NO_TRACK_FACTS,
    name,
    artists: parseEmbedArtists(raw),
    duration_ms: toInteger(getPath(raw, 'duration')),
    explicit: toBoolean(getPath(raw, 'isExplicit')),
    playable: toBoolean(getPath(raw, 'isPlayable')),
    preview_url: parseEmbedPreview(raw),
    release_date: parseRelease(getPath(raw, 'releaseDate')).date,
  };
}

/** Lists the preview URLs of a player by track id. */
function listPreviews(entity: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [entity, ...toArray(getPath(entity, 'trackList'))].flatMap((one) => {
      const id = parseId(getPath(one, 'uri'), 'track');
      const url = parseEmbedPreview(one);
      return id === null || url === null ? [] : [[id, url]];
    }),
  );
}
