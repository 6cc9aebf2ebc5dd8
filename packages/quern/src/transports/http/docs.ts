import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toCurl, toJavaScript, toPython, buildSampleRequest } from '#console/app/samples.ts';
import type { Operation } from '#engine/call/operation.ts';
import { describeInput } from '#engine/call/validation.ts';
import { type Html, toHtml } from '#kernel/html.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { createLazy } from '#kernel/lazy.ts';
import { createOperationSearch } from '#transports/operation-search.ts';
import { toJsonSchema } from '#transports/schema.ts';
import { formatDomainList, findUncoveredSite, describeUncovered } from '#transports/site-names.ts';
import {
  buildOperationDocument,
  buildOperationList,
  formatCredits,
  isUnverified,
  formatPlan,
} from './docs-document.ts';
import { type ParameterRow, listParameters, buildOutline } from './docs-parameters.ts';
import { USAGE_SCHEMA, listErrors, listSuccesses, buildAnswerSchema } from './openapi-answers.ts';
import { readRoute } from './route.ts';
import { createUnknownRouteError } from './unknown-routes.ts';

/** Allows the page's style sheet and its search only: no script, frame, other form or external resource. */
const CONTENT_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const MAX_SEARCH_LENGTH = 500;

/** Adds `/docs`: pages generated from the registry, which need no JavaScript, and the same data as JSON. */
export function addDocsRoutes(server: FastifyInstance, operations: readonly Operation[]): void {
  const style = readFileSync(join(import.meta.dirname, 'docs.css'), 'utf8');
  server.get('/docs/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  const find = createOperationSearch(operations);
  server.get('/docs', async (request, reply) => {
    const search = readSearch(request);
    const uncovered = findUncoveredSite(search, operations);
    const matches = search.trim() === '' ? null : uncovered === null ? find(search) : [];
    return sendPage(reply, renderIndex(operations, getBaseUrl(request), { search, found: matches, uncovered }));
  });
  const list = createLazy(() => JSON.stringify(buildOperationList(operations)));
  server.get('/docs/operations.json', async (_request, reply) => sendJson(reply, list()));
  addOperationPages(server, operations);
}

/** Adds one route for the pages of all operations and their JSON, because each route costs time and memory at the start. */
function addOperationPages(server: FastifyInstance, operations: readonly Operation[]): void {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const documents = new Map<string, string>();
  server.get<{ Params: { page: string } }>('/docs/:page', async (request, reply) => {
    const { page } = request.params;
    const isJson = page.endsWith(JSON_SUFFIX);
    const operation = byId.get(isJson ? page.slice(0, -JSON_SUFFIX.length) : page);
    if (operation === undefined) throw createUnknownRouteError();
    if (!isJson) return sendPage(reply, renderOperationPage(operation, getBaseUrl(request)));
    const json = documents.get(operation.id) ?? JSON.stringify(buildOperationDocument(operation));
    documents.set(operation.id, json);
    return sendJson(reply, json);
  });
}

const JSON_SUFFIX = '.json';

function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

function sendPage(reply: FastifyReply, { markup }: Html): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': CONTENT_POLICY,
      'referrer-policy': 'no-referrer',
      // The samples contain the host of the request, so a shared cache must not store the page.
      'cache-control': 'no-store',
    })
    .send(markup);
}

/** Reads the search words of the query; empty if there are none. */
function readSearch({ url }: FastifyRequest): string {
  const [, query = ''] = url.split('?');
  return (new URLSearchParams(query).get('search') ?? '').slice(0, MAX_SEARCH_LENGTH);
}

/** A host name or IP address with an optional port; nothing that a shell could interpret. */
const HOST_PATTERN = /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*\.?)(?::\d{1,5})?$/i;
const MAX_HOST_LENGTH = 261;

/** Returns the origin that the reader used, so that samples work when pasted. */
function getBaseUrl(request: FastifyRequest): string {
  const isHost = request.host.length <= MAX_HOST_LENGTH && HOST_PATTERN.test(request.host);
  const host = isHost && URL.canParse(`http://${request.host}`) ? request.host : 'localhost';
  return `${request.protocol}://${host}`;
}

function renderLayout(title: string, content: Html): Html {
  return toHtml`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="/docs/style.css" />
      </head>
      <body>
        <header>
          <a class="brand" href="/docs">Quern</a>
          <nav><a href="/docs">Operations</a> <a href="/openapi.json">OpenAPI</a></nav>
        </header>
        <main>${content}</main>
      </body>
    </html>`;
}

/** The search words, and the operations found; null if there was no search. */
type SearchState = {
  readonly search: string;
  readonly found: readonly Operation[] | null;
  /** The site in the search words that no endpoint covers; null if there is none. */
  readonly uncovered: string | null;
};

function renderIndex(
  operations: readonly Operation[],
  baseUrl: string,
  { search, found, uncovered }: SearchState,
): Html {
  const first = operations.find(({ kind }) => kind === 'work') ?? operations[0];
  const groups = [...Map.groupBy(operations, getSiteName)];
  return renderLayout(
    'Quern API',
    toHtml`<h1>Quern API</h1>
      <p>
        Every request carries its API key as <code>Authorization: Bearer &lt;key&gt;</code>, every answer its
        <code>request_id</code> and, in <code>X-Credits-Used</code>, what it cost. A failed call costs nothing. Agents
        find the same operations as MCP tools at <code>${baseUrl}/mcp</code>.
      </p>
      ${first === undefined ? [] : renderCode(buildSamples(first, baseUrl).curl, 'Example request with curl')}
      <h2>Operations</h2>
      <form action="/docs" method="get" role="search">
        <label>Search <input type="search" name="search" value="${search}" maxlength="${MAX_SEARCH_LENGTH}" /></label>
        <button>Find</button>
      </form>
      ${
        found === null
          ? toHtml`<nav aria-label="Groups">${groups.map(([site]) => toHtml`<a href="#${getAnchor(site)}">${getGroupTitle(site)}</a> `)}</nav>
            ${groups.map(renderGroup)}`
          : renderSearchResult(found, uncovered)
      }`,
  );
}

/** Returns the name of the operation's site; empty for other operations. */
function getSiteName(operation: Operation): string {
  return operation.kind === 'work' ? (operation.site?.name ?? '') : '';
}

function renderGroup([name, operations]: readonly [string, readonly Operation[]]): Html {
  const [first] = operations;
  const site = first?.kind === 'work' ? first.site : undefined;
  const about = site?.about ?? '';
  const domains = site === undefined ? '' : formatDomainList(site);
  return toHtml`<section id="${getAnchor(name)}">
    <h3>${getGroupTitle(name)}</h3>
    ${about === '' ? [] : toHtml`<p>${about}</p>`}
    ${domains === '' ? [] : toHtml`<p>Reads ${domains}.</p>`}
    ${renderOperationTable(getGroupTitle(name), operations)}
  </section>`;
}

function getAnchor(site: string): string {
  return site === '' ? 'service' : site;
}

function getGroupTitle(site: string): string {
  return site === '' ? 'Pages, jobs and the service' : site;
}

function renderSearchResult(operations: readonly Operation[], uncovered: string | null): Html {
  if (operations.length > 0) return renderOperationTable('Found', operations);
  if (uncovered !== null) return toHtml`<p role="status">Here ${describeUncovered(uncovered)}.</p>`;
  return toHtml`<p role="status">No operation was found. <a href="/docs">All operations</a></p>`;
}

function renderOperationTable(title: string, operations: readonly Operation[]): Html {
  const rows = operations.map((operation) => {
    const { method, path } = readRoute(operation);
    return toHtml`<tr>
      <td><a href="/docs/${operation.id}">${operation.id}</a></td>
      <td><code>${method} ${path}</code></td>
      <td>${formatPlan(operation)}</td>
      <td>${formatCredits(operation)}</td>
      <td>${operation.summary}${isUnverified(operation) ? ' (unverified)' : ''}</td>
    </tr>`;
  });
  return renderTable(title, ['Operation', 'Route', 'Plan', 'Credits', 'What it does'], rows);
}

function renderOperationPage(operation: Operation, baseUrl: string): Html {
  const { method, path } = readRoute(operation);
  const samples = buildSamples(operation, baseUrl);
  const answer = buildAnswerSchema(operation);
  const members = listParameters(toJsonSchema(describeInput(operation), 'input'));
  const successes = listSuccesses(operation).map(
    ({ status, meaning }) =>
      toHtml`<tr>
        <td>${status}</td>
        <td>${meaning}</td>
      </tr>`,
  );
  const errors = [...listErrors(operation)].map(
    ([status, codes]) =>
      toHtml`<tr>
        <td>${status}</td>
        <td>${codes.map((code) => toHtml`<code>${code}</code> `)}</td>
      </tr>`,
  );
  return renderLayout(
    `${operation.id} – Quern API`,
    toHtml`<h1>${operation.id}</h1>
      <p class="summary">${operation.summary}</p>
      <p class="route"><code>${method} ${path}</code></p>
      <dl>
        <dt>Plan</dt>
        <dd>${formatPlan(operation)}</dd>
        <dt>Credits</dt>
        <dd>${formatCredits(operation)}</dd>
        ${
          isUnverified(operation)
            ? toHtml`<dt>Verified</dt>
                <dd>Not yet verified on a page of the site</dd>`
            : []
        }
      </dl>
      <h2>Parameters</h2>
      ${
        members.length === 0
          ? toHtml`<p>None.</p>`
          : renderTable('Parameters', ['Name', 'Type', 'Default', 'Bounds', 'Meaning'], members.map(renderParameterRow))
      }
      <h2>Request</h2>
      <h3>curl</h3>
      ${renderCode(samples.curl, 'Example request with curl')}
      <h3>JavaScript</h3>
      ${renderCode(samples.javascript, 'Example request in JavaScript')}
      <h3>Python</h3>
      ${renderCode(samples.python, 'Example request in Python')}
      <h2>Answer</h2>
      ${renderCode(JSON.stringify(buildOutline(answer, { ...answer, components: { schemas: { Usage: USAGE_SCHEMA } } }), null, 2), 'Outline of the answer')}
      ${renderTable('Successes', ['Status', 'Meaning'], successes)}
      <h2>Errors</h2>
      ${renderTable('Errors', ['Status', 'Codes'], errors)}`,
  );
}

function renderParameterRow({
  name,
  type,
  isRequired,
  isDeprecated,
  fallback,
  bounds,
  description,
}: ParameterRow): Html {
  return toHtml`<tr>
    <td>
      <code>${name}</code>${isRequired ? toHtml` <small class="required">required</small>` : []}${
        isDeprecated ? toHtml` <small>deprecated</small>` : []
      }
    </td>
    <td>${type}</td>
    <td>${fallback === '' ? [] : toHtml`<code>${fallback}</code>`}</td>
    <td>${bounds}</td>
    <td>${description}</td>
  </tr>`;
}

/** Renders a table in a frame that scrolls and can be focused by keyboard. */
function renderTable(label: string, heads: readonly string[], rows: readonly Html[]): Html {
  return toHtml`<div class="wide" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => toHtml`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function renderCode(text: string, label: string): Html {
  return toHtml`<pre role="region" aria-label="${label}" tabindex="0"><code>${text}</code></pre>`;
}

/** The example request of an operation in three languages; each reads the key from `QUERN_API_KEY`. */
type Samples = { readonly curl: string; readonly javascript: string; readonly python: string };

/** Builds the samples from the example of the operation, so that they are always valid. */
function buildSamples(operation: Operation, baseUrl: string): Samples {
  const example = isJsonObject(operation.example) ? operation.example : {};
  const call = buildSampleRequest(readRoute(operation), example, baseUrl);
  return { curl: toCurl(call), javascript: toJavaScript(call), python: toPython(call) };
}
