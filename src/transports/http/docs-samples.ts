import type { Operation } from '#engine/call/operation.ts';
import { isJsonObject } from '#kernel/json.ts';
import { readRoute } from './route.ts';

/** The example request of an operation in the three languages; each reads the key from `QUERN_API_KEY`. */
export type Samples = { readonly curl: string; readonly javascript: string; readonly python: string };

type Call = { readonly method: string; readonly url: string; readonly body: unknown };

/** Makes the samples from the operation's own example, so that they are always valid. */
export function toSamples(operation: Operation, baseUrl: string): Samples {
  const call = toCall(operation, baseUrl);
  return { curl: toCurl(call), javascript: toJavaScript(call), python: toPython(call) };
}

function toCall(operation: Operation, baseUrl: string): Call {
  const { method, path, hasBody, inPath } = readRoute(operation);
  const example = isJsonObject(operation.example) ? operation.example : {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(toText(example[name])));
  const others = Object.entries(example).filter(([name]) => !inPath.includes(name));
  if (hasBody) return { method, url: baseUrl + filled, body: Object.fromEntries(others) };
  const query = new URLSearchParams(others.flatMap(([name, value]) => toPairs(name, value))).toString();
  return { method, url: baseUrl + filled + (query === '' ? '' : `?${query}`), body: undefined };
}

function toPairs(name: string, value: unknown): readonly [string, string][] {
  return (Array.isArray(value) ? value : [value]).map((item) => [name, toText(item)]);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toCurl({ method, url, body }: Call): string {
  const verb = method === 'DELETE' || method === 'PATCH' ? ` -X ${method}` : '';
  const lines = [`curl -sS${verb} ${quote(url)}`, '-H "Authorization: Bearer $QUERN_API_KEY"'];
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** Single quotes for a POSIX shell; one inside ends the quotes, stands escaped and opens them again. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function toJavaScript({ method, url, body }: Call): string {
  const headers = ['Authorization: `Bearer ${env.QUERN_API_KEY}`'];
  if (body !== undefined) headers.push(`'Content-Type': 'application/json'`);
  return [
    `import { env } from 'node:process';`,
    '',
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: '${method}',`,
    `  headers: { ${headers.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2))}),`]),
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}

function toPython({ method, url, body }: Call): string {
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

/** A JSON value as a Python literal; only the three constants are written differently. */
function toPythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPythonValue).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${toPythonValue(member)}`);
  return `{${members.join(', ')}}`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
