import type { z } from 'zod';
import { bearing, hasApplication, tokenIn, tokenRequest } from '#sites/framework/application.ts';
import { more, notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line } from '#extract/values/raw.ts';
import { previewsOf, readEmbed } from './embed.ts';
import type { Embedded } from './embed.ts';
import { idIn, identityOf, entityIdOf } from './entity.ts';
import type { EntityInput, Kind } from './entity.ts';
import { readGraph, toGraphRequest } from './graph.ts';
import type { GraphQuestion } from './graph.ts';
import { onlyImage } from './music-records.ts';
import type { Images } from './music-records.ts';

/** The thing that was asked for, and how much of its list. */
export type AskedEntity = {
  readonly id: string;
  readonly uri: string;
  readonly language: string;
  readonly cursor: string | null;
  readonly limit: number | null;
};

/** One answer to a query of the web player. */
export type UnionCall = AskedEntity & {
  /** Whether it stood in a page, which may tell less than an answer to a query. */
  readonly isPage: boolean;
  /** Where tracks can be heard, by their ids, as only the embedded player says. */
  readonly previews: unknown;
  /** What the query before left, undefined for the first. */
  readonly kept: unknown;
  /** Asks a further query; `without` is the answer if that fails. Null where there is no token. */
  readonly ask: ((question: GraphQuestion, kept: unknown, without: object) => SiteAnswer) | null;
};

type AnswerSchema = z.ZodObject;
type ReadEntity<A extends AnswerSchema> = z.input<A> | SiteRecord<z.input<A>> | SiteAnswer | null;

/** How the things of one kind are read from each form that the site gives them in; null is one that it does not hold. */
export type EntityReading<A extends AnswerSchema> = {
  readonly kind: Kind;
  readonly answer: A;
  readonly question: (asked: AskedEntity) => GraphQuestion;
  /** The member of the query's answer, which has the form of the mobile page. */
  readonly member: string;
  readonly union: (raw: unknown, call: UnionCall) => ReadEntity<A>;
  readonly embedded: (entity: unknown, asked: AskedEntity) => z.input<A> | null;
  readonly described: (page: ParsedPage, asked: AskedEntity) => z.input<A> | null;
  readonly official: {
    readonly request: (asked: AskedEntity) => Pick<SiteRequest, 'path' | 'query'>;
    readonly read: (raw: unknown, asked: AskedEntity) => ReadEntity<A>;
    readonly lacks: string;
  };
  /** Of a thing of which no more is known than what a link to it shows. */
  readonly titled: (name: string, images: Images, asked: AskedEntity) => z.input<A>;
};

type Sources<A extends AnswerSchema> = readonly EndpointSource<typeof EntityInput, A>[];

const EMBED_LACKS = 'the embedded player shows only a part of what the site knows';

/** The ways to a thing of one kind, in the order of what they give. */
export function entitySources<A extends AnswerSchema>(reading: EntityReading<A>): Sources<A> {
  return [
    mobilePage(reading),
    embeddedPlayer(reading),
    officialInterface(reading),
    openPage(reading),
    linkCard(reading),
  ];
}

function askedOf({ kind }: { readonly kind: Kind }, input: EntityInput, site: SiteView): AskedEntity {
  const { id, uri } = identityOf(kind, entityIdOf(input, kind, site));
  return { id, uri, language: input.language, cursor: site.cursor, limit: site.limit };
}

function pageRequest({ kind }: { readonly kind: Kind }, { id, language }: AskedEntity): SiteRequest {
  return { origin: 'web', path: `/${kind}/${id}`, language };
}

/** The embedded player alone has a visitor's token, so that every page of a list after the first begins there. */
function playerRequest({ kind }: { readonly kind: Kind }, { id, language }: AskedEntity): SiteRequest {
  return { origin: 'web', path: `/embed/${kind}/${id}`, language };
}

/** The page as phones get it, which carries the answer to the query of its thing. */
function mobilePage<A extends AnswerSchema>(reading: EntityReading<A>): Sources<A>[number] {
  return {
    name: 'mobile',
    request(input, site) {
      const asked = askedOf(reading, input, site);
      return asked.cursor === null
        ? { ...pageRequest(reading, asked), device: 'mobile' }
        : playerRequest(reading, asked);
    },
    parse(page, input, site) {
      const asked = askedOf(reading, input, site);
      if (asked.cursor !== null) return readPlayer(reading, page, asked, site);
      const state = jsonScript(parsePage(page.body, page.url), { id: 'initialState' });
      const raw = at(state, 'entities', 'items', asked.uri);
      if (raw === undefined) return unusable(`no ${reading.kind} in the page for phones`);
      return (
        reading.union(raw, { ...asked, isPage: true, previews: null, kept: undefined, ask: null }) ??
        unusable(`the ${reading.kind} asked for`)
      );
    },
  };
}

/** The embedded player, and the query that its token opens. */
function embeddedPlayer<A extends AnswerSchema>(reading: EntityReading<A>): Sources<A>[number] {
  return {
    name: 'embed',
    request: (input, site) => playerRequest(reading, askedOf(reading, input, site)),
    parse: (page, input, site) => readPlayer(reading, page, askedOf(reading, input, site), site),
  };
}

function readPlayer<A extends AnswerSchema>(
  reading: EntityReading<A>,
  page: SourcePage,
  asked: AskedEntity,
  site: SiteView,
): z.input<A> | SiteRecord<z.input<A>> | SiteAnswer {
  const embedded = page.carry === undefined ? readEmbed(parsePage(page.body, page.url)) : null;
  if (embedded !== null) return fromPlayer(reading, embedded, asked, site);
  if (!page.body.trimStart().startsWith('{')) return unusable('no embedded player in the page');
  const read = readGraph(page.body, reading.member);
  if ('answer' in read) return read.answer;
  const token = line(at(page.carry, 'token'));
  const previews = at(page.carry, 'previews') ?? null;
  const ask: UnionCall['ask'] =
    token === null
      ? null
      : (question, kept, without) => more(toGraphRequest(question, token, site), { token, previews, kept }, without);
  const call = { ...asked, isPage: false, previews, kept: at(page.carry, 'kept'), ask };
  return reading.union(read.found, call) ?? unusable(`the ${reading.kind} asked for`);
}

function fromPlayer<A extends AnswerSchema>(
  reading: EntityReading<A>,
  { entity, uri, token, refusal }: Embedded,
  asked: AskedEntity,
  site: SiteView,
): SiteRecord<z.input<A>> | SiteAnswer {
  if (refusal !== null) return notFound(refusal);
  const isAsked = [uri, line(at(entity, 'uri')), line(at(entity, 'relatedEntityUri'))].includes(asked.uri);
  if (!isAsked) return unusable(`the ${reading.kind} asked for`);
  const known = asked.cursor === null ? reading.embedded(entity, asked) : null;
  const alone = known === null ? null : partly(known, EMBED_LACKS);
  if (token === null) return alone ?? unusable('the token of a visitor');
  const carry = { token, previews: previewsOf(entity) };
  return more(toGraphRequest(reading.question(asked), token, site), carry, alone);
}

/** The documented interface, with the operator's application. */
function officialInterface<A extends AnswerSchema>(reading: EntityReading<A>): Sources<A>[number] {
  const { request, read, lacks } = reading.official;
  return {
    name: 'api',
    lacks,
    when: hasApplication,
    request(input, site) {
      askedOf(reading, input, site);
      return tokenRequest(site, { origin: 'accounts', path: '/api/token' });
    },
    parse(page, input, site) {
      const asked = askedOf(reading, input, site);
      const token = page.carry === undefined ? tokenIn(page) : null;
      if (token !== null) return more({ origin: 'api', ...request(asked), headers: bearing(token) }, { token });
      return read(tryParse(page.body), asked) ?? unusable(`the ${reading.kind} asked for`);
    },
  };
}

/** The page as it is described to search engines; a browser has drawn its lists as well. */
function openPage<A extends AnswerSchema>(reading: EntityReading<A>): Sources<A>[number] {
  return {
    name: 'page',
    lacks: 'the open page shows only a part of what the site knows',
    request: (input, site) => pageRequest(reading, askedOf(reading, input, site)),
    parse(page, input, site) {
      const asked = askedOf(reading, input, site);
      const html = parsePage(page.body, page.url);
      const shown = canonicalOf(html);
      if (shown === null) return unusable('no address of its own in the page');
      if (idIn(shown, reading.kind) !== asked.id) return unusable(`the ${reading.kind} asked for`);
      return reading.described(html, asked) ?? unusable(`the name of the ${reading.kind}`);
    },
  };
}

/** What a link to the thing shows on other sites. */
function linkCard<A extends AnswerSchema>(reading: EntityReading<A>): Sources<A>[number] {
  return {
    name: 'oembed',
    lacks: 'a link to it shows only name and picture',
    request(input, site) {
      const asked = askedOf(reading, input, site);
      const { url } = identityOf(reading.kind, asked.id);
      return { origin: 'web', path: '/oembed', query: { url }, language: asked.language };
    },
    parse(page, input, site) {
      const asked = askedOf(reading, input, site);
      const card = tryParse(page.body);
      const name = line(at(card, 'title'));
      const player = line(at(card, 'iframe_url')) ?? /src="([^"]{1,500})"/.exec(line(at(card, 'html')) ?? '')?.[1];
      if (name === null || idIn(player, reading.kind) !== asked.id) return unusable(`the ${reading.kind} asked for`);
      return reading.titled(name, onlyImage(at(card, 'thumbnail_url')), asked);
    },
  };
}
