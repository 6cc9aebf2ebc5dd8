import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { numberAt, textAt, valueAt } from '#console/app/reading.ts';
import { Foreign, ForeignLink } from '#console/parts/foreign.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';

const LINKS: readonly TableColumn<unknown>[] = [
  {
    title: 'Text',
    width: 'minmax(8rem, 2fr)',
    cell: (link) => html`<${Foreign} text=${textAt(link, 'text')} most=${200} />`,
  },
  {
    title: 'Address',
    width: 'minmax(12rem, 4fr)',
    cell: (link) => html`<${ForeignLink} url=${textAt(link, 'url')} />`,
  },
  { title: 'Leads', width: '6rem', cell: (link) => (valueAt(link, 'internal') === true ? 'inside' : 'outside') },
];

/** The links of a page. */
export function LinkTable({ links }: { readonly links: readonly unknown[] }): VNode {
  return html`<${DataTable}
    label="Links"
    columns=${LINKS}
    rows=${links}
    keyOf=${(_link: unknown, at: number) => String(at)}
  />`;
}

const IMAGES: readonly TableColumn<unknown>[] = [
  {
    title: 'Says',
    width: 'minmax(8rem, 2fr)',
    cell: (image) => html`<${Foreign} text=${textAt(image, 'alt')} most=${200} />`,
  },
  {
    title: 'Address',
    width: 'minmax(12rem, 4fr)',
    cell: (image) => html`<${ForeignLink} url=${textAt(image, 'url')} />`,
  },
  {
    title: 'Size',
    width: '7rem',
    isNumber: true,
    cell: (image) => {
      const [width, height] = [numberAt(image, 'width'), numberAt(image, 'height')];
      return width === null || height === null ? '–' : `${width} × ${height}`;
    },
  },
];

/** The pictures of a page by their addresses: none is loaded. */
export function ImageTable({ images }: { readonly images: readonly unknown[] }): VNode {
  return html`<${DataTable}
    label="Images"
    columns=${IMAGES}
    rows=${images}
    keyOf=${(_image: unknown, at: number) => String(at)}
  />`;
}

/** Title, author, dates and the like. */
export function MetadataTable({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): VNode {
  const known = Object.entries(metadata).filter(([, value]) => value !== null);
  return html`<dl class="pairs">
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd><${Foreign} text=${typeof value === 'string' ? value : JSON.stringify(value)} /></dd>
        </div>`,
    )}
  </dl>`;
}
