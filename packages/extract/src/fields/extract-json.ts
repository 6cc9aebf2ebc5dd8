import { isCurrencyCode } from '#extract/values/currencies.ts';
import { selectCss } from '#extract/select/css.ts';
import { findTextValue } from '#extract/structured/entities.ts';
import { extractSchema } from './fill-schema.ts';
import type { Extract, Field, FieldMap } from '#extract/grammar.ts';
import { setMember } from '#extract/values/json.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { isInHidden, readShownText } from '#extract/view/hidden-elements.ts';
import { compileJsonPath } from '#extract/select/json-path.ts';
import { Lookup, type ExtractionInput, type RawValue, type LookupScope, toTypedValue } from './lookup.ts';
import { SelectionTooCostly, type PageNodes } from '#extract/select/nodes.ts';
import { compilePattern } from '#extract/select/patterns.ts';
import { getAttribute, readCharacters, isElement, isText, getSubtreeEnd } from '#extract/html/tree.ts';
import { isPriceName, isInStruckThrough, readPriceAt } from '#extract/view/price-texts.ts';
import { selectXPath } from '#extract/select/xpath.ts';

/** The requested object, and what could not be filled. */
export type ExtractedJson = {
  readonly json: Readonly<Record<string, unknown>>;
  /** Dotted paths of members that no source of the page has. They are null, or empty for fields with `many`. */
  readonly missing: readonly string[];
  /** The missing members that the schema requires; the caller fails with `extraction_failed` and lists them. */
  readonly unmet: readonly string[];
  /** For missing members, by path, the start of the text that was found but could not be parsed as the requested type. */
  readonly unread: Readonly<Record<string, string>>;
  /** Dotted paths of fields that are empty because their selectors exceeded the work budget. */
  readonly cutShort: readonly string[];
  /** Sentences about facts on which structured data and visible text disagree; the visible text is used. */
  readonly disagreements: readonly string[];
};

/** A node that a selector finds, or the text of an attribute. */
type SelectedNode = { readonly node: number } | { readonly text: string };

const MAX_VALUES = 5000;
const MAX_TEXT_LENGTH = 1_000_000;

const MAX_UNREAD_LENGTH = 200;

type JsonDraft = {
  readonly lookup: Lookup;
  readonly missing: string[];
  readonly unread: Record<string, string>;
  readonly cutShort: Set<string>;
};

/** Fills the requested object from the page itself, by selectors or by name. Never uses a language model, and never throws. */
export function extractJson(extract: Extract, material: ExtractionInput): ExtractedJson {
  const lookup = new Lookup(material);
  if (extract.schema !== undefined) {
    const filled = extractSchema(extract.schema, lookup);
    return { ...filled, unread: {}, cutShort: [], disagreements: [...lookup.disagreements] };
  }
  const draft: JsonDraft = { lookup, missing: [], unread: {}, cutShort: new Set() };
  const json = readFields(extract.fields, { kind: 'page' }, '', draft);
  return {
    json,
    missing: [...new Set(draft.missing)],
    unmet: [],
    unread: draft.unread,
    cutShort: [...draft.cutShort],
    disagreements: [...lookup.disagreements],
  };
}

function readFields(fields: FieldMap, scope: LookupScope, path: string, draft: JsonDraft): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const at = path === '' ? name : `${path}.${name}`;
    const value = readWithinBudget(name, field, scope, at, draft);
    if (value === null || (Array.isArray(value) && value.length === 0)) draft.missing.push(at);
    setMember(json, name, value);
  }
  return json;
}

/** Reads a field. It stays empty if its selector takes too long, or if the budget of the page is used up. */
function readWithinBudget(name: string, field: Field, scope: LookupScope, path: string, draft: JsonDraft): unknown {
  try {
    if (field.fields === undefined) return readField(name, field, scope, path, draft);
    return readRows(name, field, field.fields, scope, path, draft);
  } catch (error) {
    if (!(error instanceof SelectionTooCostly)) throw error;
    draft.cutShort.add(path);
    return field.many ? [] : null;
  }
}

function readField(name: string, field: Field, scope: LookupScope, path: string, draft: JsonDraft): unknown {
  const type = field.type ?? 'string';
  const { lookup } = draft;
  const context = {
    locale: field.locale ?? lookup.material.metadata?.language ?? null,
    currency: field.currency ?? null,
    baseUrl: lookup.material.url,
    charset: lookup.material.metadata?.charset ?? null,
  };
  const raws = readRawValues(name, field, scope, draft);
  const values = raws.flatMap((raw) => {
    const currency =
      type === 'money' && raw.isMachineValue ? findStatedCurrency(lookup, scope, context.currency) : context.currency;
    const typed = { ...context, currency };
    const tree = lookup.page?.tree;
    // A number named as a price is parsed like an amount of money.
    if (type === 'number' && raw.node !== undefined && tree !== undefined && isPriceName(name))
      return readPriceAt(tree, raw.node, typed)?.amount ?? [];
    return toTypedValue(type, raw, typed, tree) ?? [];
  });
  if (values.length === 0 && !path.includes('[]')) noteUnread(raws, path, draft);
  return field.many ? values : (values[0] ?? null);
}

function noteUnread(raws: readonly RawValue[], path: string, { unread }: JsonDraft): void {
  const text = raws
    .map(({ value }) => collapseSpace((findTextValue(value) ?? '').slice(0, MAX_UNREAD_LENGTH)))
    .find(Boolean);
  if (text !== undefined) setMember(unread, path, text);
}

/** The currency of the product in structured data, for an amount without one. */
function findStatedCurrency(lookup: Lookup, scope: LookupScope, assumed: string | null): string | null {
  if (scope.kind !== 'page') return assumed;
  const stated = lookup.currency()?.toUpperCase() ?? '';
  return isCurrencyCode(stated) ? stated : assumed;
}

function readRows(
  name: string,
  field: Field,
  fields: FieldMap,
  scope: LookupScope,
  path: string,
  draft: JsonDraft,
): unknown {
  const scopes = listRowScopes(name, field, scope, draft);
  if (!field.many) return scopes[0] === undefined ? null : readFields(fields, scopes[0], path, draft);
  const rows = scopes.map((row) => readFields(fields, row, `${path}[]`, draft));
  return field.key === undefined ? rows : removeDuplicateRows(rows, field.key);
}

/** Drops rows without the identifying member, and duplicates by it. */
function removeDuplicateRows(
  rows: readonly Record<string, unknown>[],
  key: string,
): readonly Record<string, unknown>[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const value = JSON.stringify(row[key] ?? null);
    if (value === 'null' || value === '[]' || seen.has(value)) return false;
    seen.add(value);
    return true;
  });
}

/**
 * Where the rows of a field are. A field without a selector and without data of its name groups members of the
 * surrounding scope.
 */
function listRowScopes(name: string, field: Field, scope: LookupScope, draft: JsonDraft): readonly LookupScope[] {
  const { lookup } = draft;
  if (field.selector !== undefined || field.xpath !== undefined) {
    return selectNodes(field, scope, draft).flatMap((selected) =>
      'node' in selected ? [{ kind: 'node' as const, node: selected.node }] : [],
    );
  }
  if (field.json_path !== undefined)
    return selectJsonValues(field.json_path, scope, lookup).map((value) => ({ kind: 'json' as const, value }));
  const named = lookup.findNamed(name, field.description ?? '', scope).filter((raw) => typeof raw.value === 'object');
  if (named.length > 0) return named.map((raw) => ({ kind: 'json' as const, value: toPlainMembers(raw.value) }));
  return field.many ? [] : [scope];
}

/** The members of a microdata item as a plain object, so that rows of all syntaxes look the same. */
function toPlainMembers(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
    ? value.properties
    : value;
}

function readRawValues(name: string, field: Field, scope: LookupScope, draft: JsonDraft): readonly RawValue[] {
  const { lookup } = draft;
  if (field.selector !== undefined || field.xpath !== undefined) return readNodeValues(field, scope, draft);
  if (field.json_path !== undefined) {
    return selectJsonValues(field.json_path, scope, lookup).map((value) => ({ value, isMachineValue: true }));
  }
  if (field.regex !== undefined) {
    const { findAll } = compilePattern(field.regex);
    const text = readScopeText(scope, lookup).slice(0, MAX_TEXT_LENGTH);
    const find = () => findAll(text, field.many ? MAX_VALUES : 20);
    const found = lookup.page === null ? find() : lookup.page.select(find);
    return found.map((value) => ({ value, isMachineValue: false }));
  }
  const isNumber = field.type === 'number' || field.type === 'integer';
  return lookup.findNamed(name, field.description ?? '', scope, { isNumber });
}

function readNodeValues(field: Field, scope: LookupScope, draft: JsonDraft): readonly RawValue[] {
  const { lookup } = draft;
  const { page } = lookup;
  if (page === null) return [];
  // Reading the texts of nested elements may take far longer than finding them.
  return page.select(() =>
    chooseUnstruckNodes(chooseVisibleNodes(selectNodes(field, scope, draft), page, field), page, field).flatMap(
      (selected): readonly RawValue[] => {
        if ('text' in selected) return [{ value: selected.text, isMachineValue: false }];
        const value = readNodeText(lookup, page, selected.node, field);
        if (value === null) return [];
        const isShown = field.attribute === undefined && getAttribute(page.tree, selected.node, 'content') === null;
        return [
          {
            value,
            isMachineValue: false,
            ...(isShown && isElement(page.tree, selected.node) ? { node: selected.node } : {}),
          },
        ];
      },
    ),
  );
}

/** Chooses the visible nodes if there are any; a selector that only matches hidden nodes means those. */
function chooseVisibleNodes(
  nodes: readonly SelectedNode[],
  { tree }: PageNodes,
  { attribute }: Field,
): readonly SelectedNode[] {
  if (attribute !== undefined) return nodes;
  const shown = nodes.filter((one) => 'text' in one || !isInHidden(tree, one.node));
  return shown.length > 0 ? shown : nodes;
}

/**
 * For a price, chooses the nodes that are not struck out if there are any; a selector that only matches struck-out
 * nodes means those.
 */
function chooseUnstruckNodes(
  nodes: readonly SelectedNode[],
  { tree }: PageNodes,
  { type }: Field,
): readonly SelectedNode[] {
  if (type !== 'money') return nodes;
  const kept = nodes.filter((one) => 'text' in one || !isInStruckThrough(tree, one.node));
  return kept.length > 0 ? kept : nodes;
}

/** The text of a selected node for a field; null if the requested attribute is absent. */
function readNodeText(lookup: Lookup, page: PageNodes, node: number, field: Field): string | null {
  const { tree } = page;
  if (isText(tree, node)) return readCharacters(tree, node);
  if (field.attribute !== undefined) return getAttribute(tree, node, field.attribute.toLowerCase());
  page.spend(getSubtreeEnd(tree, node) - node);
  const text =
    field.type === 'html'
      ? lookup.html(tree, node)
      : (readAttributeValue(field.type, (name) => getAttribute(tree, node, name)) ?? readShownText(tree, node));
  page.spend(text.length);
  return text;
}

/**
 * The value that an element has in an attribute rather than in its text: the target of a link, the date of a `time`,
 * the content of a `meta`. Null if it has none for the type.
 */
function readAttributeValue(type: string | undefined, attribute: (name: string) => string | null): string | null {
  if (type === 'url') return attribute('href') ?? attribute('src') ?? attribute('content');
  if (type === 'date' || type === 'datetime') return attribute('datetime') ?? attribute('content');
  return attribute('content');
}

function selectNodes(field: Field, scope: LookupScope, draft: JsonDraft): readonly SelectedNode[] {
  const { page } = draft.lookup;
  if (page === null || scope.kind === 'json') return [];
  const node = scope.kind === 'node' ? scope.node : 0;
  // The first value that parses counts, so several matches are examined.
  const limit = field.many ? MAX_VALUES : 20;
  if (field.selector !== undefined) return selectCss(page, field.selector, node, limit).map((id) => ({ node: id }));
  const selected = selectXPath(page, field.xpath ?? '.', node, limit);
  return selected.filter((one) => 'text' in one || isElement(page.tree, one.node) || isText(page.tree, one.node));
}

function selectJsonValues(path: string, scope: LookupScope, lookup: Lookup): readonly unknown[] {
  const select = compileJsonPath(path);
  for (const document of scope.kind === 'json' ? [scope.value] : lookup.documents()) {
    const found = select(document, MAX_VALUES);
    if (found.length > 0) return found;
  }
  return [];
}

function readScopeText(scope: LookupScope, lookup: Lookup): string {
  const { content } = lookup.material;
  if (scope.kind === 'json') return findTextValue(scope.value) ?? JSON.stringify(scope.value) ?? '';
  if (scope.kind === 'node' && 'tree' in content) return readShownText(content.tree, scope.node);
  return lookup.text();
}
