import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '#console/app/keys.ts';

/** A column of a table. */
export type TableColumn<Row> = {
  readonly title: string;
  /** A CSS grid track, such as `2fr` or `8rem`. */
  readonly width: string;
  readonly cell: (row: Row, at: number) => ComponentChildren;
  /** Aligns numbers to the right, with digits of equal width. */
  readonly isNumber?: boolean;
};

type DataTableProps<Row> = {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, at: number) => string;
  /** Called by Enter and by a click on a row. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** Called when the last rows become visible, to load the next page of a list. */
  readonly onEnd?: (() => void) | undefined;
  /** Called with the index of the first visible row, to refresh the visible rows. */
  readonly onSeen?: ((first: number) => void) | undefined;
  /** The number of all rows, if only the first are loaded. */
  readonly total?: number;
};

const ROW_PX = 40;
const CARD_LINE_PX = 24;
const CARD_PAD_PX = 24;
const MARGIN_ROWS = 12;
/** Longer tables scroll in a frame, and only their visible rows are rendered. */
const MAX_UNFRAMED_ROWS = 60;
const FRAME_ROWS = 16;
const PHONE = matchMedia('(max-width: 40rem)');

/** A table of any length. All rows have the same height and become cards on a phone; `j` and `k` move between rows, Enter opens one. */
export function DataTable<Row>(props: DataTableProps<Row>): VNode {
  const { label, columns, rows, rowKey, onOpen, onEnd, onSeen, total } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isPhone = useIsPhone();
  const [top, setTop] = useState(0);
  const [current, setCurrent] = useState(-1);
  const height = isPhone ? columns.length * CARD_LINE_PX + CARD_PAD_PX : ROW_PX;
  const isFramed = rows.length > MAX_UNFRAMED_ROWS;
  const inFrame = Math.ceil((FRAME_ROWS * ROW_PX) / height);
  const from = isFramed ? Math.max(0, Math.floor(top / height) - MARGIN_ROWS) : 0;
  const to = isFramed ? Math.min(rows.length, from + inFrame + 2 * MARGIN_ROWS) : rows.length;
  const scroll = useOncePerFrame(() => setTop(frame.current?.scrollTop ?? 0));
  useEffect(() => {
    if (to >= rows.length) onEnd?.();
  }, [to, rows.length]);
  useEffect(() => onSeen?.(from), [from]);

  function move(step: number): void {
    const next = Math.max(0, Math.min(rows.length - 1, current + step));
    setCurrent(next);
    const box = frame.current;
    if (box !== null && isFramed) {
      const [start, end] = [next * height, (next + 1) * height];
      if (start < box.scrollTop) box.scrollTop = start;
      else if (end > box.scrollTop + box.clientHeight - height) box.scrollTop = end - box.clientHeight + height;
    }
    if (!focusRow(box, next)) requestAnimationFrame(() => focusRow(box, next));
  }
  useKeys({ j: () => move(1), k: () => move(-1) });

  const tracks = { gridTemplateColumns: isPhone ? '1fr' : columns.map(({ width }) => width).join(' ') };
  const shown = rows.slice(from, to);
  return html`<div
    class=${`table ${isFramed ? 'framed' : ''} ${onOpen === undefined ? '' : 'opens'}`}
    role="table"
    aria-label=${label}
    aria-rowcount=${(total ?? rows.length) + 1}
    style=${tracks}
    ref=${frame}
    tabIndex=${isFramed ? 0 : undefined}
    onScroll=${isFramed ? scroll : undefined}
  >
    <div role="rowgroup" class="head">
      <div role="row" class="row" aria-rowindex=${1}>
        ${columns.map(
          ({ title, isNumber }) =>
            html`<span role="columnheader" class=${isNumber === true ? 'number' : ''}>${title}</span>`,
        )}
      </div>
    </div>
    <div
      role="rowgroup"
      style=${{ paddingTop: `${from * height}px`, paddingBottom: `${(rows.length - to) * height}px` }}
    >
      ${shown.map((row, offset) => {
        const at = from + offset;
        return html`<${TableRow}
          key=${rowKey(row, at)}
          row=${row}
          at=${at}
          columns=${columns}
          height=${height}
          isCurrent=${at === Math.max(current, 0)}
          onFocus=${() => setCurrent(at)}
          onOpen=${onOpen === undefined ? undefined : () => onOpen(row)}
        />`;
      })}
    </div>
  </div>`;
}

type TableRowProps<Row> = {
  readonly row: Row;
  readonly at: number;
  readonly columns: readonly TableColumn<Row>[];
  readonly height: number;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
  readonly onOpen: (() => void) | undefined;
};

function TableRow<Row>({ row, at, columns, height, isCurrent, onFocus, onOpen }: TableRowProps<Row>): VNode {
  return html`<div
    role="row"
    class="row"
    data-at=${at}
    style=${{ height: `${height}px` }}
    aria-rowindex=${at + 2}
    tabIndex=${isCurrent ? 0 : -1}
    onFocus=${onFocus}
    onClick=${(event: Event) => (isInteractive(event.target) ? undefined : onOpen?.())}
    onKeyDown=${(event: KeyboardEvent) =>
      event.key === 'Enter' && event.target === event.currentTarget ? onOpen?.() : undefined}
  >
    ${columns.map(
      ({ title, cell, isNumber }) =>
        html`<span role="cell" class=${isNumber === true ? 'number' : ''} data-title=${title}>
          <span class="cell">${cell(row, at)}</span>
        </span>`,
    )}
  </div>`;
}

/** Focuses a row; returns false if it is not rendered. */
function focusRow(box: HTMLElement | null, at: number): boolean {
  const row = box?.querySelector(`[data-at="${at}"]`);
  if (!(row instanceof HTMLElement)) return false;
  row.focus({ preventScroll: false });
  return true;
}

/** Whether a click was on a control within the row. */
function isInteractive(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a, button, input, select, label, summary') !== null;
}

/** Whether the window is as narrow as a phone. */
export function useIsPhone(): boolean {
  const [isPhone, setPhone] = useState(PHONE.matches);
  useEffect(() => {
    const look = (): void => setPhone(PHONE.matches);
    PHONE.addEventListener('change', look);
    return () => PHONE.removeEventListener('change', look);
  }, []);
  return isPhone;
}

/** Returns a function that runs the action at most once per animation frame. */
export function useOncePerFrame(action: () => void): () => void {
  const latest = useRef(action);
  latest.current = action;
  const waiting = useRef(0);
  useEffect(() => () => cancelAnimationFrame(waiting.current), []);
  return () => {
    if (waiting.current !== 0) return;
    waiting.current = requestAnimationFrame(() => {
      waiting.current = 0;
      latest.current();
    });
  };
}
