import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { getList, getNumber, getText, getValue } from '#console/app/json.ts';
import { linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { readControlValue } from '#console/parts/controls.ts';
import { EmptyState, FailureNote } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Tabs } from '#console/parts/tabs.ts';
import { formatCount } from '#console/parts/format.ts';
import { type ExplanationState, useExplanation } from './explanation.ts';
import { FieldList, guessName, guessType, type PickedField, toExtract, ElementPicker } from './field-picker.ts';

/**
 * Explains how a page is read: extracted blocks, the sources of its facts, and a picker for fields. A link only fills in
 * the URL and does not start the call, since anyone may have sent the link and the call costs credits.
 */
export function Explain({ query }: ViewProps): VNode {
  const [url, setUrl] = useState(query['url'] ?? '');
  const [fields, setFields] = useState<readonly PickedField[]>([]);
  const explained = useExplanation(fields);
  const submit = (event: Event): void => {
    event.preventDefault();
    replaceQuery({ url });
    setFields([]);
    explained.explain(url);
  };
  return html`<div class="view">
    <div class="view-head"><h1 tabIndex=${-1}>Explain</h1></div>
    <form class="toolbar" onSubmit=${submit}>
      <input
        type="text"
        inputmode="url"
        required
        aria-label="URL of the page"
        placeholder="https://…"
        value=${url}
        onInput=${(event: Event) => setUrl(readControlValue(event))}
      />
      <button type="submit" class="primary" disabled=${explained.isLoading}>Explain</button>
    </form>
    ${explained.failure === null ? null : html`<${FailureNote} failure=${explained.failure} />`}
    ${explained.isLoading && explained.body === undefined ? html`<p class="loading" aria-busy="true">Loading …</p>` : null}
    ${
      explained.body === undefined
        ? explained.isLoading || explained.failure !== null
          ? null
          : html`<${EmptyState} title="See which parts of a page are extracted, and why.">
              Each block of text with its score and the main reason for it, the source of each fact, and every element
              to pick fields from. It costs as much as a fetch.
            <//>`
        : html`<${ExplainedPage} explained=${explained} url=${url} fields=${fields} onFields=${setFields} />`
    }
  </div>`;
}

type ExplainedPageProps = {
  readonly explained: ExplanationState;
  readonly url: string;
  readonly fields: readonly PickedField[];
  readonly onFields: (fields: readonly PickedField[]) => void;
};

function ExplainedPage({ explained: { body, seen }, url, fields, onFields }: ExplainedPageProps): VNode {
  const extract = JSON.stringify({ url, output: ['json'], extract: { fields: toExtract(fields) } });
  const [tab, setTab] = useState('picture');
  const pick = (selector: string, text: string): void => {
    const taken = fields.map(({ name }) => name);
    onFields([...fields, { name: guessName(selector, taken), selector, type: guessType(text) }]);
    setTab('pick');
  };
  return html`<${Tabs}
    label="Page"
    open=${tab}
    onOpen=${setTab}
    tabs=${[
      {
        name: 'picture',
        title: 'Picture',
        show: () => html`<${BlockPicture} explanation=${getValue(body, 'explanation')} onPick=${pick} />`,
      },
      {
        name: 'blocks',
        title: 'Blocks',
        show: () => html`<${BlockTable} explanation=${getValue(body, 'explanation')} />`,
      },
      {
        name: 'facts',
        title: 'Facts',
        show: () => html`<${FactTable} facts=${getList(body, 'explanation', 'facts')} />`,
      },
      {
        name: 'pick',
        title: `Pick fields${fields.length === 0 ? '' : ` (${fields.length})`}`,
        show: () =>
          html`<div class="view">
            <${FieldList} fields=${fields} seen=${getValue(seen, 'fields')} onChange=${onFields} />
            ${
              fields.length === 0
                ? null
                : html`<p class="actions">
                    <a class="button" href=${linkTo('/playground/fetch', { input: extract })}>Fetch them</a>
                    <a
                      class="button"
                      href=${linkTo('/monitors/new', { url, extract: JSON.stringify(toExtract(fields)) })}
                    >
                      Watch them
                    </a>
                  </p>`
            }
            <${ElementPicker}
              elements=${getList(body, 'elements')}
              fields=${fields}
              onPick=${(field: PickedField) => onFields([...fields, field])}
            />
          </div>`,
      },
    ]}
  />`;
}

const BLOCK_COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Verdict',
    width: '8rem',
    cell: (block) => {
      const verdict = getText(block, 'verdict');
      return html`<${Badge} word=${verdict.replaceAll('_', ' ')} tone=${verdict === 'kept' ? 'good' : 'calm'} />`;
    },
  },
  {
    title: 'Text',
    width: 'minmax(14rem, 5fr)',
    cell: (block) => html`<${UntrustedText} text=${getText(block, 'text')} maxLength=${240} />`,
  },
  {
    title: 'Score',
    width: '5rem',
    isNumber: true,
    cell: (block) => getNumber(block, 'score')?.toFixed(2) ?? '–',
  },
  {
    title: 'Main reason',
    width: 'minmax(9rem, 2fr)',
    cell: (block) => {
      const group = getText(block, 'because', 'group');
      const otherwise = getNumber(block, 'because', 'otherwise');
      return group === ''
        ? ''
        : `${group.replaceAll('_', ' ')}${otherwise === null ? '' : ` (without it ${otherwise.toFixed(2)})`}`;
    },
  },
];

function BlockTable({ explanation }: { readonly explanation: unknown }): VNode {
  const blocks = getList(explanation, 'blocks');
  if (blocks.length === 0)
    return html`<${EmptyState} title="The page has no blocks of text.">Its content may be rendered by scripts.<//>`;
  return html`<${DataTable}
    label="Blocks"
    columns=${BLOCK_COLUMNS}
    rows=${blocks}
    rowKey=${(_block: unknown, at: number) => String(at)}
  />`;
}

const FACT_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Fact', width: '10rem', cell: (fact) => getText(fact, 'fact').replaceAll('_', ' ') },
  {
    title: 'Value',
    width: 'minmax(12rem, 4fr)',
    cell: (fact) => {
      const value = getValue(fact, 'value');
      return html`<${UntrustedText}
        text=${typeof value === 'string' ? value : JSON.stringify(value ?? null)}
        maxLength=${240}
      />`;
    },
  },
  { title: 'Source', width: 'minmax(8rem, 2fr)', cell: (fact) => getText(fact, 'by') },
  {
    title: 'Where',
    width: 'minmax(8rem, 2fr)',
    cell: (fact) => html`<code class="foreign">${getText(fact, 'place').slice(0, 200)}</code>`,
  },
];

function FactTable({ facts }: { readonly facts: readonly unknown[] }): VNode {
  return html`<${DataTable}
    label="Facts"
    columns=${FACT_COLUMNS}
    rows=${facts}
    rowKey=${(fact: unknown, at: number) => `${getText(fact, 'fact')} ${at}`}
  />`;
}

const BLOCKS_PER_STEP = 300;
const MAX_TEXT_LENGTH = 600;
const MAX_LABEL_LENGTH = 60;

type BlockPictureProps = {
  readonly explanation: unknown;
  /** Adds a field for the element of a block, by its selector and text. */
  readonly onPick: (selector: string, text: string) => void;
};

/** All blocks of a page in order: extracted ones are highlighted, the others show why they were left out. */
function BlockPicture({ explanation, onPick }: BlockPictureProps): VNode {
  const blocks = getList(explanation, 'blocks');
  const [shown, setShown] = useState(BLOCKS_PER_STEP);
  if (blocks.length === 0)
    return html`<${EmptyState} title="The page has no blocks of text.">Its content may be rendered by scripts.<//>`;
  const kept = blocks.filter((block) => getText(block, 'verdict') === 'kept').length;
  const threshold = getNumber(explanation, 'threshold');
  return html`<div class="view">
    <p>
      ${formatCount(kept)} of ${formatCount(blocks.length)} blocks were extracted. Next to each are its score and the
      main reason for it.
      ${threshold === null ? '' : ` Text with a score of at least ${threshold.toFixed(2)} is content; a heading is extracted with the text below it.`}
    </p>
    <ol class="block-picture" aria-label="Blocks of the page, extracted and left out">
      ${blocks.slice(0, shown).map((block, at) => html`<${DrawnBlock} key=${at} block=${block} onPick=${onPick} />`)}
    </ol>
    ${
      blocks.length > shown
        ? html`<button type="button" onClick=${() => setShown(shown + BLOCKS_PER_STEP)}>
            ${formatCount(blocks.length - shown)} more blocks
          </button>`
        : null
    }
  </div>`;
}

type DrawnBlockProps = { readonly block: unknown; readonly onPick: BlockPictureProps['onPick'] };

function DrawnBlock({ block, onPick }: DrawnBlockProps): VNode {
  const verdict = getText(block, 'verdict');
  const score = getNumber(block, 'score');
  const mainReason = getText(block, 'because', 'group').replaceAll('_', ' ');
  const isKept = verdict === 'kept';
  const [selector, text] = [getText(block, 'selector'), getText(block, 'text')];
  return html`<li class=${isKept ? 'kept' : 'left-out'}>
    <div class="block-words"><${UntrustedText} text=${text} maxLength=${MAX_TEXT_LENGTH} /></div>
    <div class="block-verdict">
      <${Badge} word=${verdict.replaceAll('_', ' ')} tone=${isKept ? 'good' : 'calm'} />
      ${score === null ? null : html`<span class="faint">${score.toFixed(2)}</span>`}
      ${mainReason === '' ? null : html`<span class="faint">${mainReason}</span>`}
      ${
        selector === ''
          ? null
          : html`<button
              type="button"
              class="link"
              aria-label=${`Pick ${text.slice(0, MAX_LABEL_LENGTH)}`}
              onClick=${() => onPick(selector, text)}
            >
              Pick
            </button>`
      }
    </div>
  </li>`;
}
