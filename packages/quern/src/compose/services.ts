import { getPort } from '#access/guard/ports.ts';
import type { Endpoint } from '#access/guard/rules.ts';
import { PROXY_SETTINGS } from '#access/proxy/proxy-pool.ts';
import type { SearchSettings } from '#features/search/settings.ts';
import type { ArtifactStorage } from '#kernel/artifacts-url.ts';
import type { Config } from '#kernel/config.ts';

type ServiceSettings = Pick<
  Config,
  'QUERN_MODEL_URL' | 'QUERN_DATABASE_URL' | 'QUERN_PROXIES_DATACENTER' | 'QUERN_PROXIES_RESIDENTIAL'
>;

const POSTGRES_PORT = 5432;

/** The addresses of services that this instance connects to by its settings; they are not allowed as targets. */
export function listServices(
  config: ServiceSettings,
  { artifacts, search }: { readonly artifacts: ArtifactStorage; readonly search: SearchSettings },
): readonly Endpoint[] {
  const { QUERN_MODEL_URL: model, QUERN_DATABASE_URL: database } = config;
  const urls = [...(model === undefined ? [] : [model]), ...listSearchUrls(search), ...listArtifactUrls(artifacts)];
  return [
    ...urls.map(toEndpoint),
    ...(database === undefined ? [] : listDatabaseEndpoints(new URL(database))),
    ...PROXY_SETTINGS.flatMap((setting) => config[setting]).map(({ host, port }) => ({ host, port })),
  ];
}

/** The addresses of the operator's backends and models. Pages of search engines are not included: callers may fetch them too. */
function listSearchUrls({ backends, answerengine, assistant, chatassistant }: SearchSettings): readonly string[] {
  const ofBackends = [...backends.values()].flatMap((one) =>
    one.driver === 'json' ? one.api.url : one.driver === 'searxng' ? one.url : [],
  );
  const ofModels = [answerengine, assistant, chatassistant].flatMap((one) =>
    one !== null && 'url' in one ? one.url : [],
  );
  return [...ofBackends, ...ofModels];
}

/** The object store, and the host of the bucket if it has its own. Amazon's is not included, because it is a public site. */
function listArtifactUrls(place: ArtifactStorage): readonly string[] {
  if (place.kind !== 's3' || place.endpoint === null) return [];
  const url = new URL(place.endpoint);
  const { protocol, host } = url;
  return place.pathStyle ? [url.href] : [url.href, `${protocol}//${place.bucket}.${host}`];
}

/** A path instead of a host is a socket of this machine. */
function listDatabaseEndpoints({ hostname, port, searchParams }: URL): readonly Endpoint[] {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host === '') return [{ host: 'localhost', port: POSTGRES_PORT }];
  if (host.startsWith('/')) return [];
  return [
    { host: removeBrackets(host), port: Number(searchParams.get('port') ?? (port === '' ? POSTGRES_PORT : port)) },
  ];
}

function toEndpoint(text: string): Endpoint {
  const url = new URL(text);
  return { host: removeBrackets(url.hostname), port: getPort(url) };
}

function removeBrackets(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
