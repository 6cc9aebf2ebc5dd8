import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toCurl, toJavaScript, toPython, toSampleCall } from '#console/app/samples.ts';
import type { Operation } from '#engine/call/operation.ts';
import { type Html, toHtml } from '#kernel/html.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { lazy } from '#kernel/lazy.ts';
import { buildOperationSearch } from '#transports/operation-search.ts';
import { toJsonSchema } from '#transports/schema.ts';
import { sayDomains, findUncovered, sayUncovered } from '#transports/uncovered-sites.ts';
import { toOperationDocument, toOperationList, creditsOf, isUnverified, planOf } from './docs-document.ts';
import { type Member, toMembers, toOutline } from './docs-parameters.ts';
import { USAGE, errorsOf, successesOf, toAnswerSchema } from './openapi-answers.ts';
import { readRoute } from './route.ts';

/** Allows the page's style sheet and its search only: no script, frame, other form or external resource. */
const CONTENT_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const MAX_SEARCHED = 500;

/** Adds `/docs`: pages made on the server from the registry, readable without JavaScript, and the same as JSON. */
export function addDocs(server: FastifyInstance, operations: readonly Operation[]): void {
  const style = readFileSync(join(import.meta.dirname, 'docs.css'), 'utf8');
  server.get('/docs/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  const find = buildOperationSearch(operations);
  server.get('/docs', async (request, reply) => {
    const search = searchOf(request);
    const uncovered = findUncovered(search, operations);
    const found = search.trim() === '' ? null : uncovered === null ? find(search) : [];
    return send(reply, toIndex(operations, baseUrlOf(request), { search, found, uncovered }));
  });
  addJson(server, '/docs/operations.json', () => toOperationList(operations));
  for (const operation of operations) {
    addJson(server, `/docs/${operation.id}.json`, () => toOperationDocument(operation));
    server.get(`/docs/${operation.id}`, async (request, reply) => send(reply, toPage(operation, baseUrlOf(request))));
  }
}

function addJson(server: FastifyInstance, path: string, make: () => unknown): void {
  const write = lazy(() => JSON.stringify(make()));
  server.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(write()));
}

function send(reply: FastifyReply, { markup }: Html): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': CONTENT_POLICY,
      'referrer-policy': 'no-referrer',
      // The samples name the host of the request, which no cache may give to others.
      'cache-control': 'no-store',
    })
    .send(markup);
}

/** The words that a reader searches for; empty for none. */
function searchOf({ url }: FastifyRequest): string {
  const [, query = ''] = url.split('?');
  return (new URLSearchParams(query).get('search') ?? '').slice(0, MAX_SEARCHED);
}

/** A name or an address with at most a port: nothing that a shell or a reader could take for more. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*\.?)(?::\d{1,5})?$/i;
const MAX_HOST_LENGTH = 261;

/** The origin that the reader used, so that samples can be pasted. */
function baseUrlOf(request: FastifyRequest): string {
  const isHost = request.host.length <= MAX_HOST_LENGTH && HOST.test(request.host);
  const host = isHost && URL.canParse(`http://${request.host}`) ? request.host : 'localhost';
  return `${request.protocol}://${host}`;
}

function toLayout(title: string, content: Html): Html {
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

/** What was searched for, and what was found; null where nothing was. */
type Searched = {
  readonly search: string;
  readonly found: readonly Operation[] | null;
  /** The site that was named and that nothing reads, null for none. */
  readonly uncovered: string | null;
};

function toIndex(operations: readonly Operation[], baseUrl: string, { search, found, uncovered }: Searched): Html {
  const first = operations.find(({ kind }) => kind === 'work') ?? operations[0];
  const groups = [...Map.groupBy(operations, groupOf)];
  return toLayout(
    'Quern API',
    toHtml`<h1>Quern API</h1>
      <p>
        Every request carries its API key as <code>Authorization: Bearer &lt;key&gt;</code>, every answer its
        <code>request_id</code> and, in <code>X-Credits-Used</code>, what it cost. A failed call costs nothing. Agents
        find the same operations as MCP tools at <code>${baseUrl}/mcp</code>.
      </p>
      ${first === undefined ? [] : toCode(toSamples(first, baseUrl).curl, 'Example request with curl')}
      <h2>Operations</h2>
      <form action="/docs" method="get" role="search">
        <label>Search <input type="search" name="search" value="${search}" maxlength="${MAX_SEARCHED}" /></label>
        <button>Find</button>
      </form>
      ${
        found === null
          ? toHtml`<nav aria-label="Groups">${groups.map(([site]) => toHtml`<a href="#${anchorOf(site)}">${titleOf(site)}</a> `)}</nav>
            ${groups.map(toGroup)}`
          : toFound(found, uncovered)
      }`,
  );
}

/** The name of a site, or nothing for the service's own operations. */
function groupOf(operation: Operation): string {
  return operation.kind === 'work' ? (operation.site?.name ?? '') : '';
}

function toGroup([name, operations]: readonly [string, readonly Operation[]]): Html {
  const [first] = operations;
  const site = first?.kind === 'work' ? first.site : null;
  const about = site?.about ?? '';
  const domains = site === null ? '' : sayDomains(site);
  return toHtml`<section id="${anchorOf(name)}">
    <h3>${titleOf(name)}</h3>
    ${about === '' ? [] : toHtml`<p>${about}</p>`}
    ${domains === '' ? [] : toHtml`<p>Reads ${domains}.</p>`}
    ${toOperations(titleOf(name), operations)}
  </section>`;
}

function anchorOf(site: string): string {
  return site === '' ? 'service' : site;
}

function titleOf(site: string): string {
  return site === '' ? 'Pages, jobs and the service' : site;
}

function toFound(operations: readonly Operation[], uncovered: string | null): Html {
  if (operations.length > 0) return toOperations('Found', operations);
  if (uncovered !== null) return toHtml`<p role="status">Here ${sayUncovered(uncovered)}.</p>`;
  return toHtml`<p role="status">Nothing was found. <a href="/docs">All operations</a></p>`;
}

function toOperations(title: string, operations: readonly Operation[]): Html {
  const rows = operations.map((operation) => {
    const { method, path } = readRoute(operation);
    return toHtml`<tr>
      <td><a href="/docs/${operation.id}">${operation.id}</a></td>
      <td><code>${method} ${path}</code></td>
      <td>${planOf(operation)}</td>
      <td>${creditsOf(operation)}</td>
      <td>${operation.summary}${isUnverified(operation) ? ' (unverified)' : ''}</td>
    </tr>`;
  });
  return toTable(title, ['Operation', 'Route', 'Plan', 'Credits', 'What it does'], rows);
}

function toPage(operation: Operation, baseUrl: string): Html {
  const { method, path } = readRoute(operation);
  const samples = toSamples(operation, baseUrl);
  const answer = toAnswerSchema(operation);
  const members = toMembers(toJsonSchema(operation.input, 'input'));
  const successes = successesOf(operation).map(
    ({ status, meaning }) =>
      toHtml`<tr>
        <td>${status}</td>
        <td>${meaning}</td>
      </tr>`,
  );
  const errors = [...errorsOf(operation)].map(
    ([status, codes]) =>
      toHtml`<tr>
        <td>${status}</td>
        <td>${codes.map((code) => toHtml`<code>${code}</code> `)}</td>
      </tr>`,
  );
  return toLayout(
    `${operation.id} – Quern API`,
    toHtml`<h1>${operation.id}</h1>
      <p class="summary">${operation.summary}</p>
      <p class="route"><code>${method} ${path}</code></p>
      <dl>
        <dt>Plan</dt>
        <dd>${planOf(operation)}</dd>
        <dt>Credits</dt>
        <dd>${creditsOf(operation)}</dd>
        ${
          isUnverified(operation)
            ? toHtml`<dt>Verified</dt>
                <dd>Not yet on a page that the site sent</dd>`
            : []
        }
      </dl>
      <h2>Members</h2>
      ${
        members.length === 0
          ? toHtml`<p>None.</p>`
          : toTable('Members', ['Name', 'Type', 'Default', 'Bounds', 'Meaning'], members.map(toMemberRow))
      }
      <h2>Request</h2>
      <h3>curl</h3>
      ${toCode(samples.curl, 'Example request with curl')}
      <h3>JavaScript</h3>
      ${toCode(samples.javascript, 'Example request in JavaScript')}
      <h3>Python</h3>
      ${toCode(samples.python, 'Example request in Python')}
      <h2>Answer</h2>
      ${toCode(JSON.stringify(toOutline(answer, { ...answer, components: { schemas: { Usage: USAGE } } }), null, 2), 'Outline of the answer')}
      ${toTable('Successes', ['Status', 'Meaning'], successes)}
      <h2>Errors</h2>
      ${toTable('Errors', ['Status', 'Codes'], errors)}`,
  );
}

function toMemberRow({ name, type, isRequired, isDeprecated, fallback, bounds, description }: Member): Html {
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

/** A wide table scrolls in its own frame, which a keyboard can reach. */
function toTable(label: string, heads: readonly string[], rows: readonly Html[]): Html {
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

function toCode(text: string, label: string): Html {
  return toHtml`<pre role="region" aria-label="${label}" tabindex="0"><code>${text}</code></pre>`;
}

/** The example request of an operation in the three languages; each reads the key from `QUERN_API_KEY`. */
type Samples = { readonly curl: string; readonly javascript: string; readonly python: string };

/** Makes the samples from the operation's own example, so that they are always valid. */
function toSamples(operation: Operation, baseUrl: string): Samples {
  const example = isJsonObject(operation.example) ? operation.example : {};
  const call = toSampleCall(readRoute(operation), example, baseUrl);
  return { curl: toCurl(call), javascript: toJavaScript(call), python: toPython(call) };
}
