import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseHtml } from '#extract/html/parse.ts';
import { formatOutline } from '../outline.ts';

/** The number of tests of the public suite that the parser fails; it may only go down. */
const MAX_FAILURES = 52;

type Case = { readonly file: string; readonly source: string; readonly expected: string };

function readCases(folder: string): readonly Case[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.dat'));
  return names.flatMap((file) => parseCases(file, readFileSync(join(folder, file), 'utf8')));
}

/** Only full documents. Comments, doctypes and processing instructions are removed from the expected trees. */
function parseCases(file: string, text: string): readonly Case[] {
  const cases: Case[] = [];
  for (const part of `\n${text}`.split('\n#data\n').slice(1)) {
    const [source = '', rest = ''] = splitOnce(part, /\n?#errors\n/);
    if (/^#document-fragment$/m.test(rest)) continue;
    const [, tree = ''] = splitOnce(rest, /#document\n/);
    const nodes = tree.trimEnd().split(/\n(?=\| )/);
    const kept = nodes.filter((line) => !/^\| *<[!?]/.test(line)).map((line) => lowerCase(line));
    cases.push({ file, source, expected: kept.join('\n') });
  }
  return cases;
}

function splitOnce(text: string, at: RegExp): readonly string[] {
  const found = at.exec(text);
  return found === null ? [text] : [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

/** The tree has foreign tag and attribute names in lower case. */
function lowerCase(line: string): string {
  if (/^\| *<(svg|math) /.test(line)) return line.toLowerCase();
  const attribute = /^(\| *)([^"<][^=]*)(="[^]*)$/.exec(line);
  if (attribute === null) return line;
  return `${attribute[1]}${attribute[2]?.replace(/^(xlink|xml|xmlns) /, '$1:').toLowerCase()}${attribute[3]}`;
}

test('the html5lib tree construction tests pass, except for a known number', () => {
  const folder = join(process.env['QUERN_CORPUS'] ?? '', 'conformance/html5lib');
  if (process.env['QUERN_CORPUS'] === undefined || !existsSync(folder)) {
    console.log('0 recordings');
    return;
  }
  const cases = readCases(folder);
  const failed = cases.filter(({ source, expected }) => joined(formatOutline(parseHtml(source))) !== joined(expected));
  console.log(`${cases.length} cases, ${failed.length} differ`);
  if (process.env['QUERN_SHOW'] !== undefined)
    for (const { file, source, expected } of failed)
      console.log(`--- ${file}\n${source}\n- expected\n${expected}\n- got\n${formatOutline(parseHtml(source))}`);
  assert.ok(failed.length <= MAX_FAILURES, `${failed.length} of ${cases.length} differ`);
});

/** Removing comments makes texts of the expected tree adjacent, so they are joined. */
function joined(outline: string): string {
  return outline.replace(/"\n\| +"/g, '');
}
