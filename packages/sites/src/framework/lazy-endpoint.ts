import type { ListCrawl, SiteEndpoint } from './endpoint.ts';

/** What the service needs of an endpoint before its first call, and where the rest is declared. Plain data. */
export type EndpointEntry = Pick<
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
> & {
  /** Its module relative to `src`, and the name of its export. */
  readonly module: `./${string}.ts`;
  readonly name: string;
  readonly parameters: Omit<SiteEndpoint['parameters'], 'shape'>;
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

/** Creates an endpoint whose module is loaded when its schemas, its sources or its site are first used. */
export function createLazyEndpoint(
  { module: _, name: __, ...entry }: EndpointEntry,
  load: () => SiteEndpoint,
): SiteEndpoint {
  let endpoint: SiteEndpoint | null = null;
  const loaded = (): SiteEndpoint => (endpoint ??= load());
  return {
    ...entry,
    parameters: {
      ...entry.parameters,
      get shape() {
        return loaded().parameters.shape;
      },
    },
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
