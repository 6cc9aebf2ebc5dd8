import { more } from '#features/sites/answers.ts';
import type { SiteAnswer, SiteRecord } from '#features/sites/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#features/sites/request.ts';
import { at, line } from '#extract/values/raw.ts';
import { bearing, hasApplication, tokenIn, tokenRequest } from './token.ts';

/** One question to the interface: a path without its ending, and a query. */
type Asked = { readonly path: string; readonly query?: SiteRequest['query'] };

/** One answer of the interface, and the way to a further one. */
export type JsonCall<I> = {
  readonly body: string;
  readonly input: I;
  readonly site: SiteView;
  /** What the answer before passed on; undefined on the first. */
  readonly kept: unknown;
  /** Asks on, keeping this; `without` is the answer if that fails. */
  readonly ask: (asked: Asked, kept: unknown, without?: object) => SiteAnswer;
};

type JsonReading<I, R> = {
  readonly first: (input: I, site: SiteView) => Asked;
  readonly read: (call: JsonCall<I>) => SiteRecord<R> | SiteAnswer;
};

/** The documented interface with the operator's application, and the same data without, which the site often refuses. */
export function jsonSources<I, R>({ first, read }: JsonReading<I, R>) {
  const oauth = {
    name: 'oauth',
    when: hasApplication,
    request: (input: I, site: Sending): SiteRequest => {
      first(input, site);
      return tokenRequest(site);
    },
    parse: (page: SourcePage, input: I, site: SiteView) => {
      const { carry } = page;
      const given = carry === undefined ? tokenIn(page) : null;
      const token = given ?? line(at(carry, 'token')) ?? '';
      const ask: JsonCall<I>['ask'] = ({ path, query = {} }, kept, without) => {
        const request = { origin: 'oauth', path, query: { ...query, raw_json: 1 }, headers: bearing(token) };
        return more(request, { token, kept }, without ?? null);
      };
      if (given !== null) return ask(first(input, site), undefined);
      return read({ body: page.body, input, site, kept: at(carry, 'kept'), ask });
    },
  };
  const json = {
    name: 'json',
    request: (input: I, site: Sending): SiteRequest => toOpen(first(input, site)),
    parse: (page: SourcePage, input: I, site: SiteView) =>
      read({ body: page.body, input, site, kept: at(page.carry, 'kept'), ask: askOpenly }),
  };
  return { oauth, json };
}

function askOpenly(asked: Asked, kept: unknown, without?: object): SiteAnswer {
  return more(toOpen(asked), { kept }, without ?? null);
}

function toOpen({ path, query = {} }: Asked): SiteRequest {
  return { origin: 'web', path: `${path}.json`, query: { ...query, raw_json: 1 } };
}
