import { parseEmbedded } from '#extract/json/embedded.ts';
import { valueAfter, valuesAround } from '#extract/json/scan.ts';
import { findWith } from '#extract/json/search.ts';
import { ownText } from '#extract/html/element-text.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, knownAttribute, nextTagged } from '#extract/html/tree.ts';
import type { JsonObject } from '#extract/values/json.ts';
import type { ParsedPage } from './parsed-page.ts';

/** Which script is meant; members left out do not matter. `value` is that of `attribute`. */
export type Wanted = {
  readonly id?: string;
  /** The media type, compared without case and parameters. */
  readonly type?: string;
  readonly attribute?: string;
  readonly value?: string;
};

const MOST_SCRIPTS = 2000;
/** Types of scripts that run; all others hold data. */
const RUNS = /^(?:$|module$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i;

/** The values of the JSON scripts of that kind in document order; those that hold none are left out. */
export function jsonScripts(page: ParsedPage, wanted: Wanted): readonly unknown[] {
  return scriptsOf(page)
    .filter((script) => isWanted(page, script, wanted))
    .map((script) => parseEmbedded(ownText(page.tree, script)))
    .filter((value) => value !== undefined);
}

/** The value of the first such script that holds one; those after it are not read. Undefined when none does. */
export function jsonScript(page: ParsedPage, wanted: Wanted): unknown {
  for (const script of scriptsOf(page)) {
    const value = isWanted(page, script, wanted) ? parseEmbedded(ownText(page.tree, script)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * The objects of the page's scripts that have all of these members, in document order, outer before inner: from JSON
 * scripts of any kind, and from the values inside inline JavaScript. Scripts that do not name the members are not read.
 */
export function objectsWith(page: ParsedPage, name: string, ...others: readonly string[]): readonly JsonObject[] {
  const words = [name, ...others].map((member) => JSON.stringify(member));
  return scriptsOf(page).flatMap((script) => {
    const text = ownText(page.tree, script);
    if (!words.every((word) => text.includes(word))) return [];
    const type = knownAttribute(page.tree, script, ATTRIBUTE.type)?.trim() ?? '';
    const whole = RUNS.test(type) ? undefined : parseEmbedded(text);
    const values = whole === undefined ? valuesAround(text, words[0] ?? '') : [whole];
    return values.flatMap((value) => findWith(value, name, ...others));
  });
}

/** What the first script that assigns it gives to a name: `variableOf(page, 'ytInitialData')`; undefined when none does. */
export function variableOf(page: ParsedPage, name: string): unknown {
  for (const script of scriptsOf(page)) {
    const text = ownText(page.tree, script);
    const value = text.includes(name) ? valueAfter(text, name) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function scriptsOf({ tree }: ParsedPage): readonly number[] {
  const scripts: number[] = [];
  for (let node = nextTagged(tree, TAG.script, 1); node !== 0; node = nextTagged(tree, TAG.script, node + 1)) {
    if (scripts.push(node) >= MOST_SCRIPTS) break;
  }
  return scripts;
}

function isWanted({ tree }: ParsedPage, script: number, { id, type, attribute, value }: Wanted): boolean {
  if (id !== undefined && knownAttribute(tree, script, ATTRIBUTE.id) !== id) return false;
  if (type !== undefined) {
    const given = knownAttribute(tree, script, ATTRIBUTE.type)?.split(';')[0]?.trim().toLowerCase();
    if (given !== type) return false;
  }
  const found = attribute === undefined ? '' : attributeOf(tree, script, attribute);
  return found !== null && (value === undefined || found === value);
}
