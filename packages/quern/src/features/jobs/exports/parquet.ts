import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { JsonObject } from '#extract/values/json-object.ts';
import { type Cell, type Column, type ColumnKind, findColumns, readCell } from './columns.ts';

/** A row group is written when it has this many rows or characters, so that memory does not grow with the list. */
const MAX_GROUP_ROWS = 5000;
const MAX_GROUP_CHARS = 2 * 1024 * 1024;

const TYPES = {
  boolean: 'BOOLEAN',
  integer: 'INT64',
  number: 'DOUBLE',
  text: 'STRING',
  json: 'STRING',
} as const satisfies Record<ColumnKind, ColumnSource['type']>;

/** Keeps what is written until it is taken. */
class PieceWriter extends ByteWriter {
  take(): Uint8Array {
    const piece = new Uint8Array(this.getBuffer());
    this.index = 0;
    return piece;
  }
}

/** Writes a list as Parquet, compressed with Zstandard. The list is read twice, since the columns must be known first. */
export async function* writeParquet(list: () => AsyncIterable<JsonObject>): AsyncGenerator<Uint8Array, void> {
  const columns = await findColumns(list());
  const out = new PieceWriter();
  const writer = new ParquetWriter({
    writer: out,
    schema: schemaFromColumnData({
      columnData: toSources(
        columns,
        columns.map(() => []),
      ),
    }),
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    createdBy: 'quern',
  });
  let group: Cell[][] = columns.map(() => []);
  let [rows, chars] = [0, 0];
  for await (const element of list()) {
    for (const [at, column] of columns.entries()) {
      const cell = readCell(element, column);
      group[at]?.push(cell);
      if (typeof cell === 'string') chars += cell.length;
    }
    rows += 1;
    if (rows < MAX_GROUP_ROWS && chars < MAX_GROUP_CHARS) continue;
    await writer.write({ columnData: toSources(columns, group), rowGroupSize: rows });
    yield out.take();
    group = columns.map(() => []);
    [rows, chars] = [0, 0];
  }
  if (rows > 0) await writer.write({ columnData: toSources(columns, group), rowGroupSize: rows });
  await writer.finish();
  yield out.take();
}

function toSources(columns: readonly Column[], cells: readonly (readonly Cell[])[]): ColumnSource[] {
  return columns.map(({ name, kind }, at) => ({
    name: name.toWellFormed(),
    type: TYPES[kind],
    data: (cells[at] ?? []).map((cell) => (kind === 'integer' && typeof cell === 'number' ? BigInt(cell) : cell)),
  }));
}
