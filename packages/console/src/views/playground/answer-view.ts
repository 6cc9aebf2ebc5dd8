import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiFailure, send, toApiFailure } from '#console/app/api.ts';
import { isRecord, jsonIn, listAt, numberAt, recordAt, textAt, valueAt } from '#console/app/json.ts';
import { linkTo } from '#console/app/router.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { FailureNote } from '#console/parts/view-states.ts';
import { Foreign, ForeignLink, HtmlFrame } from '#console/parts/untrusted.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Tabs, type TabSpec } from '#console/parts/tabs.ts';
import { toCount, toDuration, toSize } from '#console/parts/format.ts';
import { AttemptLine } from './attempt-list.ts';
import type { PlayedAnswer } from './run-operation.ts';

const MAX_SOURCE_LENGTH = 200_000;

type AnswerViewProps = { readonly answer: PlayedAnswer };

/** What a call answered: its cost and way above, and a tab for each thing in it. */
export function AnswerView({ answer }: AnswerViewProps): VNode {
  const { body, status, file, text, isCut } = answer;
  const job = textAt(body, 'id').startsWith('job_') ? textAt(body, 'id') : '';
  return html`<${Facts} answer=${answer} />
    ${job === '' ? null : html`<p class="note">This is a job: <a href=${linkTo(`/jobs/${job}`)}>watch it work</a>.</p>`}
    ${listAt(body, 'warnings').map((warning) => html`<p class="note note-warn"><code>${textAt(warning, 'code')}</code> <${Foreign} text=${textAt(warning, 'message')} /></p>`)}
    ${listAt(body, 'attempts').length > 0 ? html`<${AttemptLine} attempts=${listAt(body, 'attempts')} />` : null}
    ${isCut ? html`<p class="note note-warn">The answer ends here: it was cancelled, broke off, or is too long to be shown.</p>` : null}
    ${file === null ? null : html`<${FileView} file=${file} name="answer" />`}
    ${text === '' ? null : html`<${CodeBlock} text=${text.slice(0, MAX_SOURCE_LENGTH)} label="the answer" isWrapped=${true} />`}
    ${isRecord(body) ? html`<${AnswerTabs} body=${body} />` : null}
    ${status === 204 ? html`<p class="faint">Done; there is nothing to show.</p>` : null}`;
}

type AnswerTabsProps = { readonly body: Readonly<Record<string, unknown>> };

/** A body by what is in it: a tab for each output, and its JSON. */
export function AnswerTabs({ body }: AnswerTabsProps): VNode {
  return html`<${Tabs} label="Answer" tabs=${tabsOf(body)} />`;
}

function Facts({ answer: { status, tookMs, body, credits } }: AnswerViewProps): VNode {
  const served = textAt(body, 'usage', 'tier');
  const charged = numberAt(body, 'usage', 'credits') ?? (credits === null ? null : Number(credits));
  const isCached = valueAt(body, 'cache', 'hit') === true;
  return html`<p class="facts-line">
    <${Badge} word=${String(status)} tone="good" />
    <span>${toDuration(tookMs)}</span>
    ${charged === null ? null : html`<span>${charged === 1 ? '1 credit' : `${toCount(charged)} credits`}</span>`}
    ${served === '' ? null : html`<span>by ${isCached ? 'the cache' : served}</span>`}
    <code class="faint">${textAt(body, 'request_id')}</code>
  </p>`;
}

type Body = Readonly<Record<string, unknown>>;

/** The tabs of an answer, by what is in it; its JSON is always there. */
function tabsOf(body: Body): readonly TabSpec[] {
  const texts: readonly (readonly [string, string, (text: string) => ComponentChildren])[] = [
    ['markdown', 'Markdown', (text) => html`<${LateMarkdown} text=${text} />`],
    ['summary', 'Summary', (text) => html`<p dir="auto"><${Foreign} text=${text} /></p>`],
    ['text', 'Text', (text) => toSource(text, 'the text')],
    ['html', 'HTML', (text) => html`<${HtmlLooks} markup=${text} />`],
    ['raw_html', 'Raw HTML', (text) => html`<${HtmlLooks} markup=${text} />`],
  ];
  const lists: readonly (readonly [string, string, (items: readonly unknown[]) => ComponentChildren])[] = [
    ['links', 'Links', (items) => html`<${LinkTable} links=${items} />`],
    ['images', 'Images', (items) => html`<${ImageTable} images=${items} />`],
    ['tables', 'Tables', (items) => html`<${JsonTree} value=${items} label="Tables" />`],
  ];
  const files = ['screenshot', 'pdf'].filter((name) => textAt(body, name, 'url') !== '');
  return [
    ...texts.flatMap(([name, title, show]) =>
      textAt(body, name) === '' ? [] : [{ name, title, show: () => show(textAt(body, name)) }],
    ),
    ...files.map((name) => ({
      name,
      title: name === 'pdf' ? 'PDF' : 'Screenshot',
      show: () => html`<${ArtifactFile} path=${textAt(body, name, 'url')} name=${name} />`,
    })),
    ...lists.flatMap(([name, title, show]) => {
      const items = listAt(body, name);
      return items.length === 0 ? [] : [{ name, title: `${title} ${toCount(items.length)}`, show: () => show(items) }];
    }),
    ...(isRecord(body['metadata']) && textAt(body, 'url') !== ''
      ? [
          {
            name: 'metadata',
            title: 'Metadata',
            show: () => html`<${MetadataTable} metadata=${recordAt(body, 'metadata')} />`,
          },
        ]
      : []),
    { name: 'whole', title: 'JSON', show: () => html`<${JsonTree} value=${body} label="The whole answer" />` },
    { name: 'source', title: 'Source', show: () => toSource(JSON.stringify(body, null, 2), 'the answer as JSON') },
  ];
}

function toSource(text: string, label: string): VNode {
  const shown = text.slice(0, MAX_SOURCE_LENGTH);
  return html`<${CodeBlock} text=${shown} label=${label} isWrapped=${true} />
    ${shown.length < text.length ? html`<p class="faint">The first ${toCount(shown.length)} of ${toCount(text.length)} characters.</p>` : null}`;
}

/** HTML as it looks without scripts, and as it is written. */
function HtmlLooks({ markup }: { readonly markup: string }): VNode {
  const tabs = [
    {
      name: 'looks',
      title: 'As it looks',
      show: () => html`<${HtmlFrame} markup=${markup} label="The HTML of the page, without scripts" />`,
    },
    { name: 'written', title: 'As it is written', show: () => toSource(markup, 'the HTML') },
  ];
  return html`<${Tabs} label="HTML" tabs=${tabs} />`;
}

type MarkdownPart = { readonly Markdown: (props: { readonly text: string }) => VNode };

/** Markdown once the code that reads it is there. */
function LateMarkdown({ text }: { readonly text: string }): VNode {
  const [part, setPart] = useState<MarkdownPart | null>(null);
  useEffect(() => {
    void import('#console/parts/markdown.ts').then(setPart);
  }, []);
  return part === null
    ? html`<p class="loading" aria-busy="true">Loading …</p>`
    : html`<${part.Markdown} text=${text} />`;
}

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
function LinkTable({ links }: { readonly links: readonly unknown[] }): VNode {
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
function ImageTable({ images }: { readonly images: readonly unknown[] }): VNode {
  return html`<${DataTable}
    label="Images"
    columns=${IMAGES}
    rows=${images}
    keyOf=${(_image: unknown, at: number) => String(at)}
  />`;
}

/** Title, author, dates and the like. */
function MetadataTable({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): VNode {
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

const FILE_MS = 120_000;

type ArtifactFileProps = { readonly path: string; readonly name: string };

/** A file that the service keeps, as a picture or to be saved. Only addresses of the service itself are asked. */
function ArtifactFile({ path, name }: ArtifactFileProps): VNode {
  const [file, setFile] = useState<Blob | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    async function read(): Promise<void> {
      const response = await send('GET', path, { signal: leaving.signal, timeoutMs: FILE_MS });
      if (!(response instanceof Response)) return setFailure(response);
      if (!response.ok) return setFailure(toApiFailure(response, jsonIn(await response.text())));
      return setFile(await response.blob());
    }
    if (path.startsWith('/v1/artifacts/')) void read();
    return () => leaving.abort();
  }, [path]);
  if (failure !== null && failure.code !== 'aborted') return html`<${FailureNote} failure=${failure} />`;
  return file === null
    ? html`<p class="loading" aria-busy="true">Loading …</p>`
    : html`<${FileView} file=${file} name=${name} />`;
}

type FileViewProps = { readonly file: Blob; readonly name: string };

/** A file: a picture is shown, any other is offered. */
function FileView({ file, name }: FileViewProps): VNode | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (url === null) return null;
  const ending = file.type.split('/')[1] ?? 'bin';
  const isPicture = /^image\/(?:png|jpeg|webp|gif)$/.test(file.type);
  return html`<div class="file">
    ${isPicture ? html`<img src=${url} alt=${`The ${name} of the page`} />` : null}
    <p>
      <a href=${url} download=${`${name}.${ending}`}>Save the ${name}</a>${' '}
      <span class="faint">${file.type}, ${toSize(file.size)}</span>
    </p>
  </div>`;
}
