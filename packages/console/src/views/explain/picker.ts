import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { numberAt, textAt } from '#console/app/reading.ts';
import { SearchBox } from '#console/parts/choices.ts';
import { Empty } from '#console/parts/empty.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { guessName, guessType, type PickedField, toListType } from './fields.ts';

const MAX_INDENT = 8;

type ElementPickerProps = {
  readonly elements: readonly unknown[];
  readonly fields: readonly PickedField[];
  readonly onPick: (field: PickedField) => void;
};

/** The elements of a page that have text, in its order: one picks what is to be watched or extracted. */
export function ElementPicker({ elements, fields, onPick }: ElementPickerProps): VNode {
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const shown = useMemo(
    () => elements.filter((one) => `${textAt(one, 'text')} ${textAt(one, 'selector')}`.toLowerCase().includes(wanted)),
    [elements, wanted],
  );
  const pick = (element: unknown, selector: string): void => {
    const type = guessType(textAt(element, 'text'));
    onPick({
      name: guessName(
        selector,
        fields.map(({ name }) => name),
      ),
      selector,
      type: selector === selectorOf(element) ? type : toListType(type),
    });
  };
  const columns: readonly TableColumn<unknown>[] = [
    {
      title: 'Text',
      width: 'minmax(14rem, 4fr)',
      cell: (one) =>
        html`<span style=${{ paddingLeft: `${Math.min(numberAt(one, 'depth') ?? 0, MAX_INDENT) * 8}px` }}
          ><${Foreign} text=${textAt(one, 'text')} most=${160}
        /></span>`,
    },
    {
      title: 'Selector',
      width: 'minmax(10rem, 3fr)',
      cell: (one) => html`<code class="foreign">${selectorOf(one).slice(0, 300)}</code>`,
    },
    {
      title: 'Pick',
      width: '13rem',
      cell: (one) => html`<${PickButtons} element=${one} onPick=${(selector: string) => pick(one, selector)} />`,
    },
  ];
  if (elements.length === 0) return html`<${Empty} title="The page has no text to pick.">Type a selector instead.<//>`;
  return html`<div class="listed">
    <div class="toolbar">
      <${SearchBox} label="Search the page" value=${search} onInput=${setSearch} />
      <span class="faint" role="status">${shown.length} of ${elements.length}</span>
    </div>
    <${DataTable}
      label="Elements of the page"
      columns=${columns}
      rows=${shown}
      keyOf=${(one: unknown) => textAt(one, 'selector')}
      onOpen=${(one: unknown) => pick(one, selectorOf(one))}
    />
  </div>`;
}

/** The selector of one element: a short one where it names this one alone, since long paths break when a page changes. */
function selectorOf(element: unknown): string {
  const similar = textAt(element, 'similar');
  return similar !== '' && numberAt(element, 'matches') === 1 ? similar : textAt(element, 'selector');
}

type PickButtonsProps = { readonly element: unknown; readonly onPick: (selector: string) => void };

function PickButtons({ element, onPick }: PickButtonsProps): VNode {
  const similar = textAt(element, 'similar');
  const text = textAt(element, 'text').slice(0, 60);
  const count = numberAt(element, 'matches') ?? 0;
  return html`<span class="actions">
    <button type="button" class="small" aria-label=${`This: ${text}`} onClick=${() => onPick(selectorOf(element))}>
      This
    </button>
    ${
      similar === '' || count < 2
        ? null
        : html`<button
            type="button"
            class="small"
            aria-label=${`All ${count} like it: ${text}`}
            onClick=${() => onPick(similar)}
          >
            All ${count} like it
          </button>`
    }
  </span>`;
}
