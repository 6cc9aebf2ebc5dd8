import { z } from 'zod';
import { readPage } from '#extract/read-page.ts';
import { chooseCurrency } from '#extract/values/currencies.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { PRODUCT_FIELDS } from '#testkit/product-fields.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import type { Sample } from './corpus.ts';
import { computeFieldF1, type FactPair, computeBagF1, collapseSpace, computeMean } from './text-scores.ts';
import type { Scores } from './suites.ts';

/** Suites about structured data in pages. */
export const EMBEDDED_SUITES: Readonly<Record<string, (samples: readonly Sample[]) => Scores>> = {
  structured: scoreEmbedded,
  products: scoreProducts,
};

/** Accepted values of one product field. */
const Values = z.array(z.string()).default([]);
const Product = z.object({
  price: Values,
  currency: Values,
  brand: Values,
  sku: Values,
  gtin: Values,
  availability: Values,
});

type Fact = keyof z.infer<typeof Product>;

const FACTS: readonly Fact[] = ['price', 'currency', 'brand', 'sku', 'gtin', 'availability'];

/** F1 of each product field, extracted by name. */
function scoreProducts(samples: readonly Sample[]): Scores {
  const pairs = new Map<Fact, FactPair[]>(FACTS.map((fact) => [fact, []]));
  for (const sample of samples) {
    const gold = Product.parse(sample.gold);
    const asked = buildMarkdownRequest(sample.body(), sample.url);
    const { json } = readPage({
      ...asked,
      contentType: 'text/html',
      outputs: ['json'],
      extract: PRODUCT_FIELDS,
    }).outputs;
    for (const fact of FACTS) pairs.get(fact)?.push(toFactPair(fact, gold[fact], json?.[fact]));
  }
  return Object.fromEntries(
    [...pairs].map(([fact, list]) => [fact, computeFieldF1(list, (gold, found) => gold === found)]),
  );
}

/** Pairs the extracted value with the matching label, or with the first label. */
function toFactPair(fact: Fact, stated: readonly string[], value: unknown): FactPair {
  const found = typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  const same = stated.find((text) => found !== null && isSame(fact, text, found));
  return same === undefined ? { gold: stated[0] ?? null, found } : { gold: same, found: same };
}

function isSame(fact: Fact, stated: string, found: string): boolean {
  if (fact === 'price') return Number(stated) === Number(found);
  if (fact === 'currency') return chooseCurrency(stated.replace(/\.$/, ''), found, null) === found;
  return stated === found;
}

/** Mean F1 per page of structured data values, by the best of its syntaxes. */
function scoreEmbedded(samples: readonly Sample[]): Scores {
  const wanted = samples.filter(({ gold }) => gold['jsonld'] !== undefined || gold['any'] !== undefined);
  return wanted.length === 0 ? {} : { f1: computeMean(wanted.map(computeEmbeddedF1)) };
}

function computeEmbeddedF1({ gold, body, url }: Sample): number {
  const asked = buildMarkdownRequest(body(), url);
  const { structured_data: found } = readPage({ ...asked, outputs: ['structured_data'] }).outputs;
  const wanted = listLeaves(gold['jsonld'] ?? gold['any']);
  const readings: readonly unknown[] =
    gold['jsonld'] === undefined ? [...Object.values(found ?? {}), found] : [found?.json_ld];
  return Math.max(...readings.map((reading) => computeBagF1(wanted, listLeaves(reading))));
}

/** Members whose content belongs to the enclosing member. */
const WRAPPER_MEMBERS: ReadonlySet<string> = new Set(['properties', 'items', 'value', '@value', '@graph']);
const CONTEXT_MEMBERS: ReadonlySet<string> = new Set(['@context', 'context', 'namespace', 'namespaces']);

/** All scalar values of a JSON value as `name=value` in lower case. */
function listLeaves(value: unknown, name = ''): readonly string[] {
  // Ordered properties are pairs of name and value.
  if (isPair(value)) return listLeaves(value[1], getLastPart(value[0]));
  if (Array.isArray(value)) return value.flatMap((element: unknown) => listLeaves(element, name));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([member, inner]) =>
      CONTEXT_MEMBERS.has(member)
        ? []
        : listLeaves(inner, WRAPPER_MEMBERS.has(member) ? name : getLastPart(member.replace(/^@/, ''))),
    );
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
  const text = collapseSpace(String(value)).toLowerCase();
  return text === '' ? [] : [`${name}=${name === 'type' ? getLastPart(text) : text}`];
}

function isPair(value: unknown): value is readonly [string, string] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  return value.every((part) => typeof part === 'string') && /^\w+:\w/.test(String(value[0]));
}

function getLastPart(name: string): string {
  return name.split(/[/#:]/).at(-1) ?? name;
}
