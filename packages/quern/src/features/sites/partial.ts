import type { Warning } from '#kernel/warnings.ts';

/** The fields of an answer that report what it lacks, each gap as a warning. */
export function toPartial(lacks: readonly string[]) {
  const warnings: readonly Warning[] = lacks.map((message) => ({ code: 'partial', message }));
  return { partial: lacks.length > 0, ...(warnings.length === 0 ? {} : { warnings }) };
}
