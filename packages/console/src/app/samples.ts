/** An HTTP request for code samples. */
export type SampleRequest = { readonly method: string; readonly url: string; readonly body: unknown };

/** An operation and its input, for which samples are written. */
export type SampleInput = {
  readonly input: Readonly<Record<string, unknown>>;
  /** The name of the operation in the clients. */
  readonly clientName: string;
  /** Origin of the service, such as `http://127.0.0.1:7700`. */
  readonly baseUrl: string;
  readonly yields: SampleResultKind;
  /** Its command; null if it has none. */
  readonly command: SampleCommand | null;
};

/** What a client method returns: one value, an iterator of records, or an iterator of events. */
export type SampleResultKind = 'value' | 'records' | 'events';

/** A command of `quern`: its words, and the parameter that is positional. */
export type SampleCommand = { readonly words: readonly string[]; readonly positional: string | null };

/** Written as a constant, because the loader of the console would take the word before a quoted name for an import. */
const FROM = `from`;

type Route = { readonly method: string; readonly path: string };

/** Builds the request of a route: path parameters are filled in, the others go to the body or the query. */
export function buildSampleRequest(
  { method, path }: Route,
  input: SampleInput['input'],
  baseUrl: string,
): SampleRequest {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    input[name] === undefined ? whole : encodeURIComponent(toPlainText(input[name])),
  );
  const others = Object.entries(input).filter(([name]) => !inPath.includes(name));
  if (method === 'POST' || method === 'PATCH')
    return { method, url: baseUrl + filled, body: Object.fromEntries(others) };
  const query = new URLSearchParams(others.flatMap(([name, value]) => toPairs(name, value))).toString();
  return { method, url: baseUrl + filled + (query === '' ? '' : `?${query}`), body: undefined };
}

function toPairs(name: string, value: unknown): [string, string][] {
  return (Array.isArray(value) ? value : [value]).map((item) => [name, toPlainText(item)]);
}

function toPlainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Formats a request as a curl command. */
export function toCurl({ method, url, body }: SampleRequest): string {
  const verb = method === 'DELETE' || method === 'PATCH' ? ` -X ${method}` : '';
  const lines = [`curl -sS${verb} ${quoteForShell(url)}`, '-H "Authorization: Bearer $QUERN_API_KEY"'];
  if (body !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoteForShell(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** Puts a text into single quotes for a POSIX shell. A single quote inside becomes `'\\''`. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Formats an input as a `quern` command; null if the operation has none. Values that begin with `-` are not mistaken for flags. */
export function toCommandLine({ input, command }: SampleInput): string | null {
  if (command === null) return null;
  const { [command.positional ?? '']: first, ...others } = input;
  const flags = Object.entries(others).flatMap(([name, value]) => formatFlags(name.replaceAll('_', '-'), value));
  const word = first === undefined ? null : toPlainText(first);
  const isLast = word?.startsWith('-') === true;
  const before = word === null || isLast ? [] : [quoteWord(word)];
  return ['quern', ...command.words, ...before, ...flags, ...(isLast ? ['--', quoteWord(word)] : [])].join(' ');
}

function formatFlags(flag: string, value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [quoteWord(value ? flag : `no-${flag}`, '--')];
  if (!Array.isArray(value)) return [formatFlag(flag, toPlainText(value))];
  const isPlain = value.every((item) => typeof item === 'number' || /^[\w.-]+$/.test(toPlainText(item)));
  return isPlain
    ? [formatFlag(flag, value.join(','))]
    : value.map((item: unknown) => formatFlag(flag, toPlainText(item)));
}

function formatFlag(flag: string, value: string): string {
  return `${quoteWord(flag, '--')}${value.startsWith('-') ? '=' : ' '}${quoteWord(value)}`;
}

/** Quotes a word of a command line if a shell would interpret it. */
function quoteWord(text: string, prefix = ''): string {
  return /^[\w./:@%+,=-]+$/.test(text) && !text.startsWith('-') ? prefix + text : quoteForShell(prefix + text);
}

/** Formats a request as JavaScript that uses `fetch`. */
export function toJavaScript({ method, url, body }: SampleRequest): string {
  const headers = ['Authorization: `Bearer ${env.QUERN_API_KEY}`'];
  if (body !== undefined) headers.push(`'Content-Type': 'application/json'`);
  return [
    `import { env } ${FROM} 'node:process';`,
    '',
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: '${method}',`,
    `  headers: { ${headers.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2))}),`]),
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}

/** Formats a request as Python that uses the standard library. */
export function toPython({ method, url, body }: SampleRequest): string {
  const headers = [`"Authorization": f"Bearer {os.environ['QUERN_API_KEY']}"`];
  if (body !== undefined) headers.push('"Content-Type": "application/json"');
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    `    headers={${headers.join(', ')}},`,
    ...(body === undefined ? [] : [`    data=json.dumps(${toPythonValue(body)}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, json.load(response))',
  ].join('\n');
}

/** Formats an input as a call of the TypeScript client. */
export function toTypeScriptClient({ input, clientName, baseUrl, yields }: SampleInput): string {
  const given = Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2);
  return [
    `import { Quern } ${FROM} 'quern-client';`,
    `import { env } ${FROM} 'node:process';`,
    '',
    `const quern = new Quern({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: env.QUERN_API_KEY ?? '' });`,
    ...(yields === 'value'
      ? [`const answer = await quern.${clientName}(${given});`, 'console.log(answer);']
      : [
          `for await (const ${yields === 'events' ? 'event' : 'record'} of quern.${clientName}(${given})) {`,
          `  console.log(${yields === 'events' ? 'event' : 'record'});`,
          '}',
        ]),
  ].join('\n');
}

/** Formats an input as a call of the Python client. */
export function toPythonClient({ input, clientName, baseUrl, yields }: SampleInput): string {
  const name = clientName.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const given = Object.entries(input).map(([member, value]) => `${toPythonName(member)}=${toPythonValue(value)}`);
  const lines = given.length < 2 ? given.join('') : `\n${given.map((one) => `    ${one},\n`).join('')}`;
  return [
    'import os',
    'from quern import Quern',
    '',
    `quern = Quern(base_url=${JSON.stringify(baseUrl)}, api_key=os.environ["QUERN_API_KEY"])`,
    ...(yields === 'value'
      ? [`answer = quern.${name}(${lines})`, 'print(answer)']
      : [
          `for ${yields === 'events' ? 'event' : 'record'} in quern.${name}(${lines}):`,
          `    print(${yields === 'events' ? 'event' : 'record'})`,
        ]),
  ].join('\n');
}

/** Converts a JSON value to a Python literal. Only `true`, `false` and `null` are written differently. */
function toPythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${toPythonValue(member)}`);
  return `{${members.join(', ')}}`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Whether a name is a keyword of Python. */
export function isPythonKeyword(name: string): boolean {
  return KEYWORDS.has(name);
}

/** Converts the name of a JSON member to a Python identifier, as `python_name` in the Python client does. */
export function toPythonName(name: string): string {
  const word = name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');
  return isPythonKeyword(word) ? `${word}_` : word;
}
