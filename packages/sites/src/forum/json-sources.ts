import { more, notHere } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import { bearing, hasApplication, tokenIn, tokenRequest } from '#sites/framework/application.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { at, line } from '#extract/values/raw.ts';
import { TOKEN } from './site.ts';

/** One question to the interface: a path without its ending, and a query. */
type Asked = { readonly path: string; readonly query?: SiteRequest['query'] };

/** A page of the site that leads to what the interface is to be asked. */
type Led = { readonly page: string };

/** One answer of the interface, and the way to a further one. */
export type JsonCall<I> = {
  readonly body: string;
  /** The address of the answer, after redirects. */
  readonly url: string;
  readonly input: I;
  readonly site: SiteView;
  /** What the answer before passed on; undefined on the first. */
  readonly kept: unknown;
  /** Asks on, keeping this; `without` is the answer if that fails. */
  readonly ask: (asked: Asked, kept: unknown, without?: object) => SiteAnswer;
};

type JsonReading<I, R> = {
  readonly first: (input: I, site: SiteView) => Asked | Led;
  readonly read: (call: JsonCall<I>) => R | SiteRecord<R> | SiteAnswer;
};

/** The documented interface with the operator's application, and the same data without, which the site often refuses. */
export function jsonSources<I, R>({ first, read }: JsonReading<I, R>) {
  const oauth = {
    name: 'oauth',
    when: hasApplication,
    request: (input: I, site: Sending): SiteRequest => {
      first(input, site);
      return tokenRequest(site, TOKEN);
    },
    parse: (page: SourcePage, input: I, site: SiteView) => {
      const { carry } = page;
      const given = carry === undefined ? tokenIn(page) : null;
      const token = given ?? line(at(carry, 'token')) ?? '';
      const ask: JsonCall<I>['ask'] = ({ path, query = {} }, kept, without) => {
        const request = { origin: 'oauth', path, query: { ...query, raw_json: 1 }, headers: bearing(token) };
        return more(request, { token, kept }, without ?? null);
      };
      if (given === null) return read({ ...page, input, site, kept: at(carry, 'kept'), ask });
      const asked = first(input, site);
      return 'page' in asked ? notHere('a shared link is followed on the page alone') : ask(asked, undefined);
    },
  };
  const json = {
    name: 'json',
    request: (input: I, site: Sending): SiteRequest => {
      const asked = first(input, site);
      return 'page' in asked ? { origin: 'web', path: asked.page } : toOpen(asked);
    },
    parse: (page: SourcePage, input: I, site: SiteView) =>
      read({ ...page, input, site, kept: at(page.carry, 'kept'), ask: askOpenly }),
  };
  return { oauth, json };
}

function askOpenly(asked: Asked, kept: unknown, without?: object): SiteAnswer {
  return more(toOpen(asked), { kept }, without ?? null);
}

function toOpen({ path, query = {} }: Asked): SiteRequest {
  return { origin: 'web', path: `${path}.json`, query: { ...query, raw_json: 1 } };
}
