import { Baseline } from '#features/monitors/compare/baseline.ts';
import { diff, type RunDifference } from '#features/monitors/compare/diff.ts';
import { buildTextCleaner } from '#features/monitors/compare/normal-form.ts';
import { observeContent, observeFields } from '#features/monitors/compare/observation.ts';
import { type FieldShapes, buildExtractShapes } from '#features/monitors/compare/shapes.ts';
import { getWatchedContent, Watch } from '#features/monitors/compare/watch.ts';
import { Extract } from '#extract/grammar.ts';

type Json = Readonly<Record<string, unknown>>;

/** The fields of an `extract` as a caller writes it. */
export function shapes(extract: Json): FieldShapes {
  return buildExtractShapes(Extract.parse(extract));
}

/** The outcome of each run of a monitor; the baseline is passed on as JSON. */
export function follow(extract: Json, watch: unknown, runs: readonly Json[]): readonly RunDifference[] {
  const watched = Watch.parse(watch);
  const fields = shapes(extract);
  let known: Baseline | null = null;
  return runs.map((json, index) => {
    const seen = observeFields({ json }, fields, 'extract');
    const difference = diff(known, seen, { watch: watched, shapes: fields, runId: `run_${index}` });
    known = Baseline.parse(JSON.parse(JSON.stringify(difference.baseline)));
    return difference;
  });
}

/** The entries that each run after the first reports for one field `x`. */
export function changes(type: string, watch: unknown, values: readonly unknown[]): readonly unknown[] {
  return follow(
    { x: type },
    watch,
    values.map((x) => ({ x })),
  )
    .slice(1)
    .map(({ change }) => change?.changes ?? null);
}

/** The outcome of each run of a content monitor. */
export function followText(watch: Json, texts: readonly string[]): readonly RunDifference[] {
  const watched = Watch.parse({ mode: 'content', ...watch });
  const content = getWatchedContent(watched);
  if (content === null) throw new Error('no content watch');
  let known: Baseline | null = null;
  return texts.map((markdown, index) => {
    const seen = observeContent({ markdown }, content, buildTextCleaner(watched.ignore_patterns));
    const difference = diff(known, seen, { watch: watched, shapes: new Map(), runId: `run_${index}` });
    known = Baseline.parse(JSON.parse(JSON.stringify(difference.baseline)));
    return difference;
  });
}
