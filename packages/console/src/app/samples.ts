import { toPythonName } from './python-names.ts';

/** A request as what a program sends. */
export type SampleCall = { readonly method: string; readonly url: string; readonly body: unknown };

/** What a request asks for: an operation and its input. */
export type SampleAsk = {
  readonly input: Readonly<Record<string, unknown>>;
  /** The name of the operation in the clients. */
  readonly clientName: string;
  /** Where the service is. */
  readonly baseUrl: string;
  readonly yields: SampleYield;
  /** Its command; null where there is none. */
  readonly command: SampleCommand | null;
};

/** How the clients give an answer: as one value, record by record, or event by event. */
export type SampleYield = 'value' | 'records' | 'events';

/** A command of `quern`: its words, and the member that needs no flag. */
export type SampleCommand = { readonly words: readonly string[]; readonly positional: string | null };

/** A word of code that is shown; written out, it would be taken for an import of this file. */
const FROM = `from`;

type Route = { readonly method: string; readonly path: string };

/** A request by its route: members of the path filled in, the others in the body or the query. */
export function toSampleCall({ method, path }: Route, input: SampleAsk['input'], baseUrl: string): SampleCall {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    input[name] === undefined ? whole : encodeURIComponent(toText(input[name])),
  );
  const others = Object.entries(input).filter(([name]) => !inPath.includes(name));
  if (method === 'POST' || method === 'PATCH')
    return { method, url: baseUrl + filled, body: Object.fromEntries(others) };
  const query = new URLSearchParams(others.flatMap(([name, value]) => toPairs(name, value))).toString();
  return { method, url: baseUrl + filled + (query === '' ? '' : `?${query}`), body: undefined };
}

function toPairs(name: string, value: unknown): [string, string][] {
  return (Array.isArray(value) ? value : [value]).map((item) => [name, toText(item)]);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The request as a command of curl. */
export function toCurl({ method, url, body }: SampleCall): string {
  const verb = method === 'DELETE' || method === 'PATCH' ? ` -X ${method}` : '';
  const lines = [`curl -sS${verb} ${quote(url)}`, '-H "Authorization: Bearer $QUERN_API_KEY"'];
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** Single quotes for a POSIX shell; one inside ends the quotes, stands escaped and opens them again. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same as a command of `quern`, by its flags; null for an operation without one. No value is taken for a flag. */
export function toCommandLine({ input, command }: SampleAsk): string | null {
  if (command === null) return null;
  const { [command.positional ?? '']: first, ...others } = input;
  const flags = Object.entries(others).flatMap(([name, value]) => toFlags(name.replaceAll('_', '-'), value));
  const word = first === undefined ? null : toText(first);
  const isLast = word?.startsWith('-') === true;
  const before = word === null || isLast ? [] : [toWord(word)];
  return ['quern', ...command.words, ...before, ...flags, ...(isLast ? ['--', toWord(word)] : [])].join(' ');
}

function toFlags(flag: string, value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [toWord(value ? flag : `no-${flag}`, '--')];
  if (!Array.isArray(value)) return [toFlag(flag, toText(value))];
  const isPlain = value.every((item) => typeof item === 'number' || /^[\w.-]+$/.test(toText(item)));
  return isPlain ? [toFlag(flag, value.join(','))] : value.map((item: unknown) => toFlag(flag, toText(item)));
}

function toFlag(flag: string, value: string): string {
  return `${toWord(flag, '--')}${value.startsWith('-') ? '=' : ' '}${toWord(value)}`;
}

/** A word of a command line, in quotes where a shell would read more into it. */
function toWord(text: string, prefix = ''): string {
  return /^[\w./:@%+,=-]+$/.test(text) && !text.startsWith('-') ? prefix + text : quote(prefix + text);
}

/** The same by `fetch`, which every JavaScript has. */
export function toJavaScript({ method, url, body }: SampleCall): string {
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

/** The same by what Python brings along. */
export function toPython({ method, url, body }: SampleCall): string {
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

/** The same by the client for TypeScript. */
export function toTypeScriptClient({ input, clientName, baseUrl, yields }: SampleAsk): string {
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

/** The same by the client for Python. */
export function toPythonClient({ input, clientName, baseUrl, yields }: SampleAsk): string {
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

/** A JSON value as a Python literal; only the three constants are written differently. */
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
