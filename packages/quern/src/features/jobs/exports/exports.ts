import type { ReplyStream } from '#engine/call/operation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** The formats of which a row may be a chunk of a page. */
export const CHUNK_FORMATS: ReadonlySet<string> = new Set(['jsonl', 'csv', 'parquet']);

/** The formats of a whole result, other than those of its own storage. */
export const EXPORT_FORMATS = ['csv', 'parquet', 'zip', 'llms.txt', 'llms-full.txt'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Writes a list, which it may read more than once. */
type Write = (list: () => AsyncIterable<JsonObject>) => AsyncGenerator<string | Uint8Array, void>;

type Exporter = {
  readonly type: ReplyStream['type'];
  /** What follows the id of the job in the name of the file. */
  readonly suffix: string;
  /** The output that a page needs for this format; null if any list will do. */
  readonly needs: 'markdown' | 'metadata' | null;
  /** Loads the code of the format at its first use. */
  readonly load: () => Promise<Write>;
};

export const EXPORTERS: Readonly<Record<ExportFormat, Exporter>> = {
  csv: { type: 'text/csv', suffix: '.csv', needs: null, load: async () => (await import('./csv.ts')).writeCsv },
  parquet: {
    type: 'application/vnd.apache.parquet',
    suffix: '.parquet',
    needs: null,
    load: async () => (await import('./parquet.ts')).writeParquet,
  },
  zip: {
    type: 'application/zip',
    suffix: '.zip',
    needs: 'markdown',
    load: async () => (await import('./zip.ts')).writeZip,
  },
  'llms.txt': {
    type: 'text/plain',
    suffix: '-llms.txt',
    needs: 'metadata',
    load: async () => (await import('./llms-text.ts')).writeLlmsText,
  },
  'llms-full.txt': {
    type: 'text/plain',
    suffix: '-llms-full.txt',
    needs: 'markdown',
    load: async () => (await import('./llms-text.ts')).writeFullText,
  },
};

export function isExportFormat(format: string): format is ExportFormat {
  return EXPORT_FORMATS.some((one) => one === format);
}
