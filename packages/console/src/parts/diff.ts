import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Foreign } from './foreign.ts';

const MAX_COMPARED = 20_000;
const MAX_LINES = 600;

/** A run of text that both have, or only one of them. */
type TextPart = { readonly value: string; readonly added?: boolean; readonly removed?: boolean };

type WordDiffProps = { readonly before: string; readonly after: string };

/** Two texts in one: words that went are struck, words that came are marked. */
export function WordDiff({ before, after }: WordDiffProps): VNode {
  const [parts, setParts] = useState<readonly TextPart[] | null>(null);
  const isLong = before.length + after.length > MAX_COMPARED;
  useEffect(() => {
    if (isLong) return undefined;
    const leaving = new AbortController();
    async function compare({ signal }: AbortController): Promise<void> {
      const { diffWordsWithSpace } = await import('diff');
      if (!signal.aborted) setParts(diffWordsWithSpace(before, after));
    }
    void compare(leaving);
    return () => leaving.abort();
  }, [before, after, isLong]);
  if (parts === null) {
    return html`<span class="diff"
      ><del><${Foreign} text=${before} /></del> <ins><${Foreign} text=${after} /></ins
    ></span>`;
  }
  return html`<bdi class="diff foreign">${parts.map(toPart)}</bdi>`;
}

function toPart({ value, added, removed }: TextPart): VNode | string {
  if (added === true) return html`<ins>${value}</ins>`;
  return removed === true ? html`<del>${value}</del>` : value;
}

/** A line of both sides of a unified diff; null where a side has none. */
type SideRow = { readonly left: string | null; readonly right: string | null; readonly isSame: boolean };

type SideDiffProps = { readonly unified: string; readonly label: string };

/** A unified diff side by side. */
export function SideDiff({ unified, label }: SideDiffProps): VNode {
  const rows = toSides(unified);
  return html`<div class="side-diff" role="region" aria-label=${label} tabIndex=${0}>
    <table>
      <thead>
        <tr>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, MAX_LINES).map(
          ({ left, right, isSame }) =>
            html`<tr>
              <td class=${isSame || left === null ? '' : 'gone'}><bdi>${left ?? ''}</bdi></td>
              <td class=${isSame || right === null ? '' : 'come'}><bdi>${right ?? ''}</bdi></td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${rows.length > MAX_LINES ? html`<p class="faint">${rows.length - MAX_LINES} more lines</p>` : null}
  </div>`;
}

/** The rows of a unified diff: removed lines stand beside the added ones that follow them. */
function toSides(unified: string): readonly SideRow[] {
  const rows: SideRow[] = [];
  let [gone, come]: [string[], string[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1)
      rows.push({ left: gone[at] ?? null, right: come[at] ?? null, isSame: false });
    [gone, come] = [[], []];
  };
  for (const line of unified.split('\n')) {
    if (/^(?:---|\+\+\+|\\)/.test(line)) continue;
    if (line.startsWith('-')) gone.push(line.slice(1));
    else if (line.startsWith('+')) come.push(line.slice(1));
    else {
      flush();
      const text = line.startsWith('@@') ? '…' : line.slice(1);
      rows.push({ left: text, right: text, isSame: true });
    }
  }
  flush();
  return rows;
}
