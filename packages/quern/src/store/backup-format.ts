import { z } from 'zod';
import { type Row, STORE_KINDS, type Value } from './db.ts';
import type { Column, Table } from './schema.ts';

/*
 * A backup is a zstd stream of JSON lines. The first is the head. Then, table by table, a line that names the table and
 * one array a row, its values in the order of the head's columns: text is a string, an integer a number, bytes are
 * `{"bytes": base64}`. The last line is the foot: how many rows each table has, and the SHA-256 of all lines before it.
 */

/** The number of the format that this code writes and reads. */
const FORMAT = 1;

const Name = z.string().regex(/^[a-z][a-z_0-9]{0,62}$/);

const Head = z.strictObject({
  quern_backup: z.literal(FORMAT),
  quern: z.string().max(64),
  schema: z.int().positive(),
  at: z.iso.datetime(),
  store: z.enum(STORE_KINDS),
  secret: z.strictObject({
    fingerprint: z.string().max(64),
    /** The secret itself, when it is the data folder's own. */
    key: z.base64().max(64).nullable(),
  }),
  tables: z.array(z.strictObject({ name: Name, columns: z.array(Name).min(1).max(256) })).max(1024),
});

/** The head of a backup. */
export type BackupHead = Readonly<z.output<typeof Head>>;

const Foot = z.strictObject({ rows: z.record(z.string(), z.int().nonnegative()), sha256: z.string() });
export type Foot = z.output<typeof Foot>;

const Bytes = z.strictObject({ bytes: z.base64() });
const TableLine = z.strictObject({ table: z.string() });
const FootLine = z.strictObject({ foot: Foot });
const Marked = z.looseObject({ quern_backup: z.number() });

/** A file that is not a backup, or not a whole one. */
export class Damaged extends Error {}

export function toHeadLine(head: Omit<BackupHead, 'quern_backup'>): string {
  return toLine({ quern_backup: FORMAT, ...head });
}

export function toTableLine(table: string): string {
  return toLine({ table });
}

export function toFootLine(foot: Foot): string {
  return toLine({ foot });
}

export function toRowLine(columns: readonly Column[], row: Row): string {
  return toLine(columns.map(({ name }) => toJson(row[name])));
}

/** Throws `Damaged`. */
export function readHead(line: string): BackupHead {
  const raw = readJson(line);
  const marked = Marked.safeParse(raw);
  if (!marked.success) throw new Damaged('it does not begin as a backup does');
  if (marked.data.quern_backup > FORMAT)
    throw new Damaged('it was made by a newer Quern: restore it with that version');
  const head = Head.safeParse(raw);
  if (!head.success) throw new Damaged('its first line is not that of a backup');
  return head.data;
}

export type BackupLine =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'row'; readonly row: readonly unknown[] }
  | { readonly kind: 'foot'; readonly foot: Foot };

export function readLine(line: string): BackupLine {
  const raw = readJson(line);
  if (Array.isArray(raw)) return { kind: 'row', row: raw };
  const table = TableLine.safeParse(raw);
  if (table.success) return { kind: 'table', table: table.data.table };
  const foot = FootLine.safeParse(raw);
  if (foot.success) return { kind: 'foot', foot: foot.data.foot };
  throw new Damaged('it has a line that no backup has');
}

/** The columns of a table in the order of a backup; throws when the schema does not have them. */
export function readColumns(tables: readonly Table[], named: BackupHead['tables'][number]): readonly Column[] {
  const table = tables.find(({ name }) => name === named.name);
  if (table === undefined) throw new Damaged(`it has a table ${named.name}, which its schema does not have`);
  if (new Set(named.columns).size !== named.columns.length)
    throw new Damaged(`a column of ${named.name} is there twice`);
  return named.columns.map((wanted) => {
    const column = table.columns.find(({ name }) => name === wanted);
    if (column === undefined)
      throw new Damaged(`it has a column ${named.name}.${wanted}, which its schema does not have`);
    return column;
  });
}

/** The values of a row by the types of its columns. */
export function readValues(columns: readonly Column[], row: readonly unknown[]): readonly Value[] {
  if (row.length !== columns.length) throw new Damaged('it has a row of another length');
  return columns.map((column, at) => readValue(column, row[at]));
}

function readValue({ name, type }: Column, raw: unknown): Value {
  if (raw === null) return null;
  if (type === 'text' && typeof raw === 'string') return raw;
  if (type === 'bigint' && typeof raw === 'number' && Number.isSafeInteger(raw)) return raw;
  const bytes = type === 'blob' ? Bytes.safeParse(raw) : null;
  if (bytes?.success === true) return Buffer.from(bytes.data.bytes, 'base64');
  throw new Damaged(`a value of ${name} is not of the type ${type}`);
}

function toJson(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Damaged('it has a line that is not JSON', { cause: error });
  }
}
