import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember, toList } from '#extract/values/json.ts';
import type { StructuredData } from '#extract/reading.ts';

/** An entity that a page describes in any syntax, with short type names (`Product`) and its members. */
export type Entity = { readonly types: readonly string[]; readonly members: JsonObject };

/** An entity that is not a mere value of another one, and the syntax that describes it. */
export type Subject = Entity & { readonly syntax: 'json-ld' | 'microdata' | 'rdfa' };

/** The entities of a page; `byId` has the members of those with an `@id`. */
export type Entities = {
  /** In document order, JSON-LD before microdata before RDFa; includes entities nested as a main subject. */
  readonly all: readonly Subject[];
  readonly byId: ReadonlyMap<string, JsonObject>;
};

const MAX_DEPTH = 6;
const MAX_ENTITIES = 500;
/** Members whose values are subjects themselves. */
const SUBJECT_MEMBERS = [
  '@graph',
  'mainEntity',
  'mainEntityOfPage',
  'itemListElement',
  'item',
  'hasPart',
  'hasVariant',
] as const;

/** Collects all entities of a page's structured data. */
export function toEntities(structured: StructuredData): Entities {
  const all: Subject[] = [];
  const byId = new Map<string, JsonObject>();
  for (const value of structured.json_ld) collectEntities(value, 0, { all, byId, syntax: 'json-ld' });
  for (const value of structured.microdata) collectEntities(value, 0, { all, byId, syntax: 'microdata' });
  for (const value of structured.rdfa) collectEntities(value, 0, { all, byId, syntax: 'rdfa' });
  return { all, byId };
}

type Collection = {
  readonly all: Subject[];
  readonly byId: Map<string, JsonObject>;
  readonly syntax: Subject['syntax'];
};

function collectEntities(value: unknown, depth: number, collection: Collection): void {
  const { all, byId, syntax } = collection;
  if (depth > MAX_DEPTH || all.length >= MAX_ENTITIES) return;
  if (Array.isArray(value)) {
    for (const element of value.slice(0, MAX_ENTITIES)) collectEntities(element, depth + 1, collection);
    return;
  }
  const entity = toEntity(value);
  if (entity === null) return;
  const id = getMember(entity.members, '@id');
  if (typeof id === 'string' && entity.types.length > 0 && !byId.has(id)) byId.set(id, entity.members);
  if (entity.types.length > 0) all.push({ ...entity, syntax });
  for (const name of SUBJECT_MEMBERS) {
    const subject = getMember(entity.members, name);
    if (subject !== undefined) collectEntities(subject, depth + 1, collection);
  }
}

/** A JSON-LD node or microdata item as an entity; null if the value is neither. */
export function toEntity(value: unknown): Entity | null {
  if (!isJsonObject(value)) return null;
  const properties = getMember(value, 'properties');
  const microdata = isJsonObject(properties) && Array.isArray(getMember(value, 'type'));
  const types = toList(microdata ? getMember(value, 'type') : getMember(value, '@type'))
    .filter((type) => typeof type === 'string')
    .map(getLastSegment);
  return { types, members: microdata ? properties : value };
}

/** The values of a member. A reference by `@id` is replaced by its target, one level deep. */
export function listValues(entity: Entity, name: string, { byId }: Entities): readonly unknown[] {
  return toList(getMember(entity.members, name)).map((value) => {
    const id = getMember(value, '@id');
    const bare = isJsonObject(value) && typeof id === 'string' && Object.keys(value).length === 1;
    return bare ? (byId.get(id) ?? value) : value;
  });
}

/** The text of the first member value that has one; null if there is none. */
export function findMemberText(entity: Entity, name: string, entities: Entities): string | null {
  for (const value of listValues(entity, name, entities)) {
    const text = findTextValue(value);
    if (text !== null) return text;
  }
  return null;
}

/** The name of a member as the source of a fact: `json-ld NewsArticle headline`. */
export function formatFactSource(subject: Subject | undefined, member: string): string {
  return `${subject?.syntax ?? ''} ${subject?.types[0] ?? ''} ${member}`;
}

/** The text that represents a value: itself, its `@value`, its name or its URL; null if it has none. */
export function findTextValue(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const entity = toEntity(value);
  if (entity === null) return null;
  for (const name of ['@value', 'name', 'url', 'contentUrl', '@id']) {
    const text = toList(getMember(entity.members, name)).find(
      (inner) => typeof inner === 'string' || typeof inner === 'number',
    );
    if (text !== undefined) return String(text);
  }
  return null;
}

/** `Product` of `https://schema.org/Product` or `schema:Product`. */
export function getLastSegment(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('#'), name.lastIndexOf(':')) + 1);
}
