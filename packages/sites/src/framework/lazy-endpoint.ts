import type { ListCrawl, SiteEndpoint } from './endpoint.ts';

/** What the service needs of an endpoint before its first call. Plain data. */
export type EndpointSummary = Pick<
  SiteEndpoint,
  | 'id'
  | 'about'
  | 'path'
  | 'summary'
  | 'price'
  | 'isInternal'
  | 'canary'
  | 'list'
  | 'limit'
  | 'expected'
  | 'canFill'
  | 'shape'
> & { readonly parameters: Omit<SiteEndpoint['parameters'], 'shape'> };

/** The summary of an endpoint, and where it is declared. */
export type EndpointEntry = EndpointSummary & {
  /** Its module relative to `src`, and the name of its export. */
  readonly module: `./${string}.ts`;
  readonly name: string;
};

/** A list crawl, with the id of its endpoint. */
export type CrawlEntry = Omit<ListCrawl, 'endpoint'> & { readonly endpoint: string };

/** Everything about the endpoints that is known without loading their modules. */
export type Catalogue = {
  readonly endpoints: readonly EndpointEntry[];
  /** The ids of the endpoints in the order of the docs. */
  readonly documented: readonly string[];
  readonly listCrawls: readonly CrawlEntry[];
  /** The ids of the endpoints of result pages, by engine. */
  readonly enginePages: Readonly<Record<string, string>>;
};

/** Creates an endpoint from its summary. The rest is loaded when its schemas, its sources or its site are first used. */
export function createLazyEndpoint(known: EndpointSummary, load: () => SiteEndpoint): SiteEndpoint {
  const { id, about, path, summary, price, isInternal, canary, list, limit, expected, canFill, shape } = known;
  const { names, aliases, anyOf } = known.parameters;
  let endpoint: SiteEndpoint | null = null;
  const loaded = (): SiteEndpoint => (endpoint ??= load());
  const parameters = {
    names,
    aliases,
    anyOf,
    get shape() {
      return loaded().parameters.shape;
    },
  };
  const plain = {
    id,
    about,
    path,
    summary,
    price,
    isInternal,
    canary,
    list,
    limit,
    expected,
    canFill,
    shape,
    parameters,
  };
  return {
    ...plain,
    get site() {
      return loaded().site;
    },
    get sources() {
      return loaded().sources;
    },
    get record() {
      return loaded().record;
    },
    get emptyRecord() {
      return loaded().emptyRecord;
    },
    check: (record) => loaded().check(record),
  };
}
