import { ServiceError } from '#kernel/errors.ts';
import { isPresent } from './advance-baseline.ts';
import type { Baseline } from './baseline.ts';
import type { RunObservation } from './observation.ts';

/** The share of the lines of a watched text that another page has by chance. */
const MAX_SHARED_LINES = 0.2;

/**
 * Throws if a page is a login form, or says that it is not available, and earlier runs saw a different page. A monitor whose
 * first run saw such a page watches it. A form next to a short page counts only if everything that was seen before is gone.
 * The same holds for every kind of page if the earlier runs were of a version that did not record the kind.
 */
export function refuseOtherPage(known: Baseline | null, seen: RunObservation): void {
  const found = seen.pageKinds ?? [];
  if (known === null || found.length === 0) return;
  const before = known.page_kinds;
  const wasLogin = before?.some(isLogin) === true;
  for (const { kind, message } of found) {
    if (isLogin(kind) ? wasLogin : before?.includes(kind) === true) continue;
    const isCertain = before !== undefined && kind !== 'login_form';
    if (!isCertain && !isGone(known, seen)) continue;
    const code = isLogin(kind) ? 'target_blocked' : 'unusable_response';
    throw new ServiceError(code, `${message}; the page was another before, so it is not compared`);
  }
}

function isLogin(kind: string): boolean {
  return kind === 'login_page' || kind === 'login_form';
}

/** Whether nothing is left of what earlier runs saw. */
function isGone(known: Baseline, { values, content }: RunObservation): boolean {
  if (content !== null)
    return known.content !== null && sharedLines(known.content.text, content.text) < MAX_SHARED_LINES;
  const held = Object.entries(known.fields).filter(([, field]) => isPresent(field.held));
  return held.length > 0 && held.every(([name]) => (values[name] ?? null) === null);
}

/** The share of the lines of one text that another has; none where one of them was too long to be kept. */
function sharedLines(before: string | null, after: string | null): number {
  if (before === null || after === null) return 0;
  const now = new Set(after.split('\n'));
  const lines = before.split('\n');
  return lines.filter((line) => now.has(line)).length / lines.length;
}
