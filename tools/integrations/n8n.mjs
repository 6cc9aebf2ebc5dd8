import Module, { createRequire } from 'node:module';

// Sends the requests of the n8n nodes of Firecrawl without n8n, and prints the answer as JSON. n8n-workflow, which has
// another licence, is used by the operations of the agent only.
const load = Module._load;
Module._load = (name, ...rest) => (name === 'n8n-workflow' ? {} : load(name, ...rest));
const require = createRequire(import.meta.url);
const { Firecrawl } = require('@mendable/n8n-nodes-firecrawl/dist/nodes/Firecrawl/Firecrawl.node.js');
const { FirecrawlApi } = require('@mendable/n8n-nodes-firecrawl/dist/credentials/FirecrawlApi.credentials.js');

/** Evaluates `={{ … }}` and templates such as `=/crawl/{{$value}}` with the given names. */
function evaluate(text, names) {
  if (typeof text !== 'string' || !text.startsWith('=')) return text;
  const run = (code) => new Function(...Object.keys(names), `return (${code})`)(...Object.values(names));
  const whole = /^=\{\{([^]*)\}\}$/.exec(text);
  if (whole !== null) return run(whole[1]);
  return text.slice(1).replace(/\{\{([^]*?)\}\}/g, (_all, code) => run(code));
}

function evaluateAll(value, names) {
  if (typeof value !== 'object' || value === null) return evaluate(value, names);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, evaluateAll(one, names)]));
}

function isShown({ displayOptions: { show = {}, hide = {} } = {} }, values) {
  const has =
    (rule) =>
    ([name, wanted]) =>
      wanted.includes(values[name]) === rule;
  return Object.entries(show).every(has(true)) && Object.entries(hide).every(has(false));
}

/** Builds the request of an operation as the declarations of the node describe it. */
async function buildRequest(given, credentials) {
  const { properties, requestDefaults } = new Firecrawl().description;
  const values = { useCustomBody: false, ...given };
  const shown = properties.filter((property) => isShown(property, values));
  const operation = shown.flatMap(({ name, options = [] }) =>
    name === 'operation' ? options.filter(({ value }) => value === given.operation) : [],
  );
  let request = {
    baseURL: evaluate(requestDefaults.baseURL, { $credentials: credentials }),
    headers: requestDefaults.headers,
    body: { ...requestDefaults.body },
  };
  for (const { name, type, routing, default: usual } of [...operation, ...shown]) {
    if (routing?.request === undefined) continue;
    const $value = values[name] ?? usual;
    // n8n sends no collection that has no entries.
    if (type === 'fixedCollection' && Object.keys($value).length === 0) continue;
    const { body, ...rest } = routing.request;
    const names = { $value, $credentials: credentials };
    request = { ...request, ...evaluateAll(rest, names) };
    const own = evaluateAll(body, names);
    Object.assign(request.body, typeof own === 'object' ? own : {});
  }
  const context = { getNodeParameter: (name, fallback) => values[name] ?? fallback };
  for (const { routing } of [...operation, ...shown])
    for (const preSend of routing?.send?.preSend ?? []) request = await preSend.call(context, request);
  return request;
}

const [given, credentials] = process.argv.slice(2).map((text) => JSON.parse(text));
const { baseURL, url, method, headers, body } = await buildRequest(given, credentials);
const { authenticate } = new FirecrawlApi();
const authorization = evaluate(authenticate.properties.headers.Authorization, { $credentials: credentials });
const answer = await fetch(`${baseURL}${url}`, {
  method,
  headers: { ...headers, authorization },
  ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
});
process.stdout.write(JSON.stringify({ status: answer.status, sent: body, answer: await answer.json() }));
