import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOperations } from '#compose/registry.ts';
import { buildOpenApi } from '#transports/http/openapi.ts';
import { listSources } from './house.ts';

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|type) (\w+)/gm;
const LITERAL = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.|\$\{[^}]*\})*`/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
/** Words with a capital inside, such as `StreamTrack` and `findOffers`. */
const WORD = /(?<![\w.$#/-])[A-Za-z]+[a-z][A-Z]\w*(?![\w(])/g;

const sources = listSources();
const identifiers = new Set(
  sources
    .flatMap(({ text }) => [...text.matchAll(EXPORTED)].map(([, name = '']) => name))
    .filter((name) => /[a-z][A-Z]/.test(name)),
);

function listIdentifiers(text: string): readonly string[] {
  return (text.match(WORD) ?? []).filter((word) => identifiers.has(word));
}

test('no summary or description of an operation contains the name of a type or function', () => {
  const found = new Set<string>();
  let texts = 0;
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if ((key === 'description' || key === 'summary') && typeof member === 'string') {
        texts += 1;
        for (const name of listIdentifiers(member)) found.add(`${name}: ${member}`);
      }
      collect(member);
    }
  };
  collect(buildOpenApi(allOperations));
  assert.ok(texts > 1000, `${texts} texts`);
  assert.deepEqual([...found], []);
});

test('no sentence in the code contains the name of a type or function', () => {
  const found = sources.flatMap(({ file, text }) =>
    text
      .replaceAll(COMMENT, '')
      .split('\n')
      .flatMap((line) => line.match(LITERAL) ?? [])
      .filter((literal) => /\w \w+ \w/.test(literal))
      .map((literal) => literal.replaceAll(/\$\{[^}]*\}/g, ''))
      .filter((literal) => listIdentifiers(literal).length > 0)
      .map((literal) => `${file}: ${literal}`),
  );
  assert.deepEqual(found, []);
});
