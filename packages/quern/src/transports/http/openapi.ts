import type { Operation } from '#engine/call/operation.ts';
import { SURCHARGES } from '#engine/credits/prices.ts';
import { events } from '#features/events.ts';
import { Answers, COMMON_HEADERS, HEADERS } from './openapi-answers.ts';
import { Components, clientNameOf } from './openapi-components.ts';
import { HEADER_PARAMETERS, toRequest } from './openapi-requests.ts';
import { readRoute } from './route.ts';

/** What the service is, and what its answers have in common. */
const ABOUT = [
  'Turns web pages into structured data, metered in credits. Every answer has these headers:',
  ...Object.entries(COMMON_HEADERS).map(([name, meaning]) => `- \`${name}\`: ${meaning}`),
].join('\n');

/** The tags of the documents that parts of the registry have. */
export function tagsOf(operations: readonly Operation[]): readonly string[] {
  return [...new Set(operations.filter(({ route }) => route !== null).map(tagOf))];
}

/**
 * The OpenAPI 3.1 document of the registry, or of the operations of one tag, for readers that cannot take it whole.
 * Operations without a route are kinds of jobs.
 */
export function toOpenApi(operations: readonly Operation[], tag: string | null = null) {
  const components = new Components();
  const answers = new Answers(components);
  const routed = operations.filter((one) => one.route !== null && (tag === null || tagOf(one) === tag));
  const orderable = operations.filter(({ kind }) => kind === 'work');
  const paths = new Map<string, Record<string, unknown>>();
  for (const operation of routed) {
    const { method, path } = readRoute(operation);
    const described = {
      ...toFacts(operation),
      ...toRequest(operation, components, orderable),
      responses: answers.of(operation),
    };
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: described });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quern',
      version: '1.0.0',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: tagsOf(routed).map((name) => ({ name, externalDocs: { url: `/openapi/${name}.json` } })),
    paths: Object.fromEntries(paths),
    ...(tag === null ? { webhooks: toWebhooks(components) } : {}),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      parameters: { ...HEADER_PARAMETERS, ...DELIVERY_PARAMETERS },
      headers: HEADERS,
      responses: answers.shared,
      schemas: components.toObject(),
    },
  };
}

function toFacts(operation: Operation): Record<string, unknown> {
  return {
    operationId: clientNameOf(operation),
    summary: operation.summary,
    tags: [tagOf(operation)],
    'x-operation': operation.id,
    'x-credits': toCredits(operation),
    'x-plan': operation.kind === 'work' ? operation.plan : 'free',
    ...(operation.audience === undefined ? {} : { 'x-audience': operation.audience }),
    ...(operation.kind === 'work' && operation.list !== null ? { 'x-list': operation.list } : {}),
    ...(operation.kind === 'work' && operation.isLongRunning ? { 'x-long-running': true } : {}),
    ...(operation.kind === 'work' && operation.site !== null ? { 'x-verified': operation.site.verified } : {}),
  };
}

function tagOf({ id }: Operation): string {
  return id.split('.', 1)[0] ?? id;
}

function toCredits(operation: Operation): Record<string, unknown> {
  if (operation.kind === 'control') return { base: 0 };
  const { base, cacheHit, perTier, per = 'call', perModelOutput = 0, errorPage } = operation.price;
  const ofErrors = errorPage === undefined ? {} : { error_page: errorPage };
  const surcharges = perTier ? SURCHARGES : {};
  return { base, per, cache_hit: cacheHit, ...ofErrors, surcharges, model_output: perModelOutput };
}

const DELIVERY_HEADERS = [
  ['webhook-id', 'The id of the event, the same at every attempt'],
  ['webhook-timestamp', 'Seconds since 1970'],
  ['webhook-signature', 'v1, and the base64 of HMAC-SHA256 over id.timestamp.body; several are parted by spaces'],
  ['webhook-event', 'The type of the event; not signed'],
  ['webhook-attempt', 'Which attempt it is, from 1; not signed'],
] as const;

/** The headers of a delivery by name. */
const DELIVERY_PARAMETERS = Object.fromEntries(
  DELIVERY_HEADERS.map(([name, description]) => [
    name,
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
);

/** The requests that are sent to webhooks, by event. */
function toWebhooks(components: Components): Record<string, unknown> {
  const parameters = DELIVERY_HEADERS.map(([name]) => ({ $ref: `#/components/parameters/${name}` }));
  const responses = {
    '2XX': { description: 'Received' },
    410: { description: 'Disables the webhook at once' },
    default: { description: 'Tried again later' },
  };
  return Object.fromEntries(
    events.map(({ type, summary, schema, example }) => {
      const name = type.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase());
      const body = { schema: components.take(schema, 'output', `${name}Event`), example };
      const requestBody = { required: true, content: { 'application/json': body } };
      const post = { operationId: `on${name}`, summary, security: [], parameters, requestBody, responses };
      return [type, { post }];
    }),
  );
}
