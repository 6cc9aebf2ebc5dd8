import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { listAt, numberAt, textAt, valueAt } from '#console/app/json.ts';
import { linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { controlValue } from '#console/parts/controls.ts';
import { Empty, FailureNote } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Tabs } from '#console/parts/tabs.ts';
import { toCount } from '#console/parts/format.ts';
import { type UsedExplanation, useExplanation } from './explanation.ts';
import { FieldList, guessName, guessType, type PickedField, toExtract, ElementPicker } from './field-picker.ts';

/**
 * Why a page is read as it is: blocks kept and left out, where its facts come from, and a picker of fields. A link only
 * fills in the URL: it may come from anyone, and the call costs credits.
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
        onInput=${(event: Event) => setUrl(controlValue(event))}
      />
      <button type="submit" class="primary" disabled=${explained.isLoading}>Explain</button>
    </form>
    ${explained.failure === null ? null : html`<${FailureNote} failure=${explained.failure} />`}
    ${explained.isLoading && explained.body === undefined ? html`<p class="loading" aria-busy="true">Loading …</p>` : null}
    ${
      explained.body === undefined
        ? explained.isLoading || explained.failure !== null
          ? null
          : html`<${Empty} title="See which parts of a page are extracted, and why.">
              Each block of text with its score and the main reason for it, the source of each fact, and every element
              to pick fields from. It costs what a fetch costs.
            <//>`
        : html`<${ExplainedPage} explained=${explained} url=${url} fields=${fields} onFields=${setFields} />`
    }
  </div>`;
}

type ExplainedPageProps = {
  readonly explained: UsedExplanation;
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
    label="Of the page"
    open=${tab}
    onOpen=${setTab}
    tabs=${[
      {
        name: 'picture',
        title: 'Picture',
        show: () => html`<${BlockPicture} explanation=${valueAt(body, 'explanation')} onPick=${pick} />`,
      },
      {
        name: 'blocks',
        title: 'Blocks',
        show: () => html`<${BlockTable} explanation=${valueAt(body, 'explanation')} />`,
      },
      {
        name: 'facts',
        title: 'Facts',
        show: () => html`<${FactTable} facts=${listAt(body, 'explanation', 'facts')} />`,
      },
      {
        name: 'pick',
        title: `Pick fields${fields.length === 0 ? '' : ` (${fields.length})`}`,
        show: () =>
          html`<div class="view">
            <${FieldList} fields=${fields} seen=${valueAt(seen, 'fields')} onChange=${onFields} />
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
              elements=${listAt(body, 'elements')}
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
      const verdict = textAt(block, 'verdict');
      return html`<${Badge} word=${verdict.replaceAll('_', ' ')} tone=${verdict === 'kept' ? 'good' : 'calm'} />`;
    },
  },
  {
    title: 'Text',
    width: 'minmax(14rem, 5fr)',
    cell: (block) => html`<${Foreign} text=${textAt(block, 'text')} most=${240} />`,
  },
  {
    title: 'Score',
    width: '5rem',
    isNumber: true,
    cell: (block) => numberAt(block, 'score')?.toFixed(2) ?? '–',
  },
  {
    title: 'What told most',
    width: 'minmax(9rem, 2fr)',
    cell: (block) => {
      const group = textAt(block, 'because', 'group');
      const otherwise = numberAt(block, 'because', 'otherwise');
      return group === ''
        ? ''
        : `${group.replaceAll('_', ' ')}${otherwise === null ? '' : ` (else ${otherwise.toFixed(2)})`}`;
    },
  },
];

function BlockTable({ explanation }: { readonly explanation: unknown }): VNode {
  const blocks = listAt(explanation, 'blocks');
  if (blocks.length === 0)
    return html`<${Empty} title="The page has no blocks of text.">It may be drawn by scripts.<//>`;
  return html`<${DataTable}
    label="Blocks"
    columns=${BLOCK_COLUMNS}
    rows=${blocks}
    keyOf=${(_block: unknown, at: number) => String(at)}
  />`;
}

const FACT_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Fact', width: '10rem', cell: (fact) => textAt(fact, 'fact').replaceAll('_', ' ') },
  {
    title: 'Value',
    width: 'minmax(12rem, 4fr)',
    cell: (fact) => {
      const value = valueAt(fact, 'value');
      return html`<${Foreign} text=${typeof value === 'string' ? value : JSON.stringify(value ?? null)} most=${240} />`;
    },
  },
  { title: 'By', width: 'minmax(8rem, 2fr)', cell: (fact) => textAt(fact, 'by') },
  {
    title: 'Where',
    width: 'minmax(8rem, 2fr)',
    cell: (fact) => html`<code class="foreign">${textAt(fact, 'place').slice(0, 200)}</code>`,
  },
];

function FactTable({ facts }: { readonly facts: readonly unknown[] }): VNode {
  return html`<${DataTable}
    label="Facts"
    columns=${FACT_COLUMNS}
    rows=${facts}
    keyOf=${(fact: unknown, at: number) => `${textAt(fact, 'fact')} ${at}`}
  />`;
}

const PORTION = 300;
const MAX_TEXT = 600;
const MAX_NAME = 60;

type BlockPictureProps = {
  readonly explanation: unknown;
  /** Makes a field of the element that a block stands in, by its selector and text. */
  readonly onPick: (selector: string, text: string) => void;
};

/** The page as it was read, block under block: what was kept stands out, what was left out says why. */
function BlockPicture({ explanation, onPick }: BlockPictureProps): VNode {
  const blocks = listAt(explanation, 'blocks');
  const [shown, setShown] = useState(PORTION);
  if (blocks.length === 0)
    return html`<${Empty} title="The page has no blocks of text.">It may be drawn by scripts.<//>`;
  const kept = blocks.filter((block) => textAt(block, 'verdict') === 'kept').length;
  const threshold = numberAt(explanation, 'threshold');
  return html`<div class="view">
    <p>
      ${toCount(kept)} of ${toCount(blocks.length)} blocks were kept. Beside each are its score and what told most of
      it.
      ${threshold === null ? '' : ` Text is content from ${threshold.toFixed(2)} on; headings go with what they stand above.`}
    </p>
    <ol class="block-picture" aria-label="Blocks of the page, kept and left out">
      ${blocks.slice(0, shown).map((block, at) => html`<${DrawnBlock} key=${at} block=${block} onPick=${onPick} />`)}
    </ol>
    ${
      blocks.length > shown
        ? html`<button type="button" onClick=${() => setShown(shown + PORTION)}>
            ${toCount(blocks.length - shown)} more blocks
          </button>`
        : null
    }
  </div>`;
}

type DrawnBlockProps = { readonly block: unknown; readonly onPick: BlockPictureProps['onPick'] };

function DrawnBlock({ block, onPick }: DrawnBlockProps): VNode {
  const verdict = textAt(block, 'verdict');
  const score = numberAt(block, 'score');
  const told = textAt(block, 'because', 'group').replaceAll('_', ' ');
  const isKept = verdict === 'kept';
  const [selector, text] = [textAt(block, 'selector'), textAt(block, 'text')];
  return html`<li class=${isKept ? 'kept' : 'left-out'}>
    <div class="block-words"><${Foreign} text=${text} most=${MAX_TEXT} /></div>
    <div class="block-verdict">
      <${Badge} word=${verdict.replaceAll('_', ' ')} tone=${isKept ? 'good' : 'calm'} />
      ${score === null ? null : html`<span class="faint">${score.toFixed(2)}</span>`}
      ${told === '' ? null : html`<span class="faint">${told}</span>`}
      ${
        selector === ''
          ? null
          : html`<button
              type="button"
              class="link"
              aria-label=${`Pick ${text.slice(0, MAX_NAME)}`}
              onClick=${() => onPick(selector, text)}
            >
              Pick
            </button>`
      }
    </div>
  </li>`;
}
