import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiFailure, sendRequest, toApiFailure } from '#console/app/api.ts';
import { isRecord, parseJson, getList, getNumber, getRecord, getText, getValue } from '#console/app/json.ts';
import { linkTo } from '#console/app/router.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { FailureNote } from '#console/parts/view-states.ts';
import { UntrustedText, UntrustedLink, UntrustedHtml } from '#console/parts/untrusted.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Tabs, type TabSpec } from '#console/parts/tabs.ts';
import { formatCount, formatDuration, formatBytes } from '#console/parts/format.ts';
import { AttemptList } from './attempt-list.ts';
import type { OperationAnswer } from './run-operation.ts';

const MAX_SOURCE_LENGTH = 200_000;

type AnswerViewProps = { readonly answer: OperationAnswer };

/** The response of a call: status, duration and cost, warnings and attempts, and a tab for each output. */
export function AnswerView({ answer }: AnswerViewProps): VNode {
  const { body, status, file, text, isCut } = answer;
  const job = getText(body, 'id').startsWith('job_') ? getText(body, 'id') : '';
  return html`<${Facts} answer=${answer} />
    ${job === '' ? null : html`<p class="note">This is a job: <a href=${linkTo(`/jobs/${job}`)}>watch it work</a>.</p>`}
    ${getList(body, 'warnings').map((warning) => html`<p class="note note-warn"><code>${getText(warning, 'code')}</code> <${UntrustedText} text=${getText(warning, 'message')} /></p>`)}
    ${getList(body, 'attempts').length > 0 ? html`<${AttemptList} attempts=${getList(body, 'attempts')} />` : null}
    ${isCut ? html`<p class="note note-warn">The response is incomplete: it was cancelled, the connection broke, or it is too long to be shown.</p>` : null}
    ${file === null ? null : html`<${FileView} file=${file} name="answer" />`}
    ${text === '' ? null : html`<${CodeBlock} text=${text.slice(0, MAX_SOURCE_LENGTH)} label="the answer" isWrapped=${true} />`}
    ${isRecord(body) ? html`<${AnswerTabs} body=${body} />` : null}
    ${status === 204 ? html`<p class="faint">Done; the response has no body.</p>` : null}`;
}

type AnswerTabsProps = { readonly body: Readonly<Record<string, unknown>> };

/** A response body with a tab for each output, and its JSON. */
export function AnswerTabs({ body }: AnswerTabsProps): VNode {
  return html`<${Tabs} label="Answer" tabs=${buildTabs(body)} />`;
}

function Facts({ answer: { status, tookMs, body, credits } }: AnswerViewProps): VNode {
  const served = getText(body, 'usage', 'tier');
  const charged = getNumber(body, 'usage', 'credits') ?? (credits === null ? null : Number(credits));
  const isCached = getValue(body, 'cache', 'hit') === true;
  return html`<p class="facts-line">
    <${Badge} word=${String(status)} tone="good" />
    <span>${formatDuration(tookMs)}</span>
    ${charged === null ? null : html`<span>${charged === 1 ? '1 credit' : `${formatCount(charged)} credits`}</span>`}
    ${served === '' ? null : html`<span>by ${isCached ? 'the cache' : served}</span>`}
    <code class="faint">${getText(body, 'request_id')}</code>
  </p>`;
}

type Body = Readonly<Record<string, unknown>>;

/** Builds a tab for each output of a response; JSON and source are always included. */
function buildTabs(body: Body): readonly TabSpec[] {
  const texts: readonly (readonly [string, string, (text: string) => ComponentChildren])[] = [
    ['markdown', 'Markdown', (text) => html`<${LazyMarkdown} text=${text} />`],
    ['summary', 'Summary', (text) => html`<p dir="auto"><${UntrustedText} text=${text} /></p>`],
    ['text', 'Text', (text) => renderSource(text, 'the text')],
    ['html', 'HTML', (text) => html`<${HtmlTabs} markup=${text} />`],
    ['raw_html', 'Raw HTML', (text) => html`<${HtmlTabs} markup=${text} />`],
  ];
  const lists: readonly (readonly [string, string, (items: readonly unknown[]) => ComponentChildren])[] = [
    ['links', 'Links', (items) => html`<${LinkTable} links=${items} />`],
    ['images', 'Images', (items) => html`<${ImageTable} images=${items} />`],
    ['tables', 'Tables', (items) => html`<${JsonTree} value=${items} label="Tables" />`],
  ];
  const files = ['screenshot', 'pdf'].filter((name) => getText(body, name, 'url') !== '');
  return [
    ...texts.flatMap(([name, title, show]) =>
      getText(body, name) === '' ? [] : [{ name, title, show: () => show(getText(body, name)) }],
    ),
    ...files.map((name) => ({
      name,
      title: name === 'pdf' ? 'PDF' : 'Screenshot',
      show: () => html`<${ArtifactFile} path=${getText(body, name, 'url')} name=${name} />`,
    })),
    ...lists.flatMap(([name, title, show]) => {
      const items = getList(body, name);
      return items.length === 0
        ? []
        : [{ name, title: `${title} ${formatCount(items.length)}`, show: () => show(items) }];
    }),
    ...(isRecord(body['metadata']) && getText(body, 'url') !== ''
      ? [
          {
            name: 'metadata',
            title: 'Metadata',
            show: () => html`<${MetadataTable} metadata=${getRecord(body, 'metadata')} />`,
          },
        ]
      : []),
    { name: 'whole', title: 'JSON', show: () => html`<${JsonTree} value=${body} label="The whole answer" />` },
    { name: 'source', title: 'Source', show: () => renderSource(JSON.stringify(body, null, 2), 'the answer as JSON') },
  ];
}

function renderSource(text: string, label: string): VNode {
  const shown = text.slice(0, MAX_SOURCE_LENGTH);
  return html`<${CodeBlock} text=${shown} label=${label} isWrapped=${true} />
    ${shown.length < text.length ? html`<p class="faint">The first ${formatCount(shown.length)} of ${formatCount(text.length)} characters.</p>` : null}`;
}

/** HTML rendered without scripts, and its source. */
function HtmlTabs({ markup }: { readonly markup: string }): VNode {
  const tabs = [
    {
      name: 'looks',
      title: 'Rendered',
      show: () => html`<${UntrustedHtml} markup=${markup} label="The HTML of the page, without scripts" />`,
    },
    { name: 'written', title: 'HTML source', show: () => renderSource(markup, 'the HTML') },
  ];
  return html`<${Tabs} label="HTML" tabs=${tabs} />`;
}

type MarkdownModule = { readonly Markdown: (props: { readonly text: string }) => VNode };

/** Renders Markdown once the code of the renderer is loaded. */
function LazyMarkdown({ text }: { readonly text: string }): VNode {
  const [part, setPart] = useState<MarkdownModule | null>(null);
  useEffect(() => {
    void import('#console/parts/markdown.ts').then(setPart);
  }, []);
  return part === null
    ? html`<p class="loading" aria-busy="true">Loading …</p>`
    : html`<${part.Markdown} text=${text} />`;
}

const LINK_COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Text',
    width: 'minmax(8rem, 2fr)',
    cell: (link) => html`<${UntrustedText} text=${getText(link, 'text')} maxLength=${200} />`,
  },
  {
    title: 'URL',
    width: 'minmax(12rem, 4fr)',
    cell: (link) => html`<${UntrustedLink} url=${getText(link, 'url')} />`,
  },
  { title: 'Type', width: '6rem', cell: (link) => (getValue(link, 'internal') === true ? 'internal' : 'external') },
];

/** The links of a page. */
function LinkTable({ links }: { readonly links: readonly unknown[] }): VNode {
  return html`<${DataTable}
    label="Links"
    columns=${LINK_COLUMNS}
    rows=${links}
    rowKey=${(_link: unknown, at: number) => String(at)}
  />`;
}

const IMAGE_COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Alt text',
    width: 'minmax(8rem, 2fr)',
    cell: (image) => html`<${UntrustedText} text=${getText(image, 'alt')} maxLength=${200} />`,
  },
  {
    title: 'URL',
    width: 'minmax(12rem, 4fr)',
    cell: (image) => html`<${UntrustedLink} url=${getText(image, 'url')} />`,
  },
  {
    title: 'Size',
    width: '7rem',
    isNumber: true,
    cell: (image) => {
      const [width, height] = [getNumber(image, 'width'), getNumber(image, 'height')];
      return width === null || height === null ? '–' : `${width} × ${height}`;
    },
  },
];

/** The images of a page by URL; none is loaded. */
function ImageTable({ images }: { readonly images: readonly unknown[] }): VNode {
  return html`<${DataTable}
    label="Images"
    columns=${IMAGE_COLUMNS}
    rows=${images}
    rowKey=${(_image: unknown, at: number) => String(at)}
  />`;
}

/** The metadata of a page, such as title, author and dates. */
function MetadataTable({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): VNode {
  const known = Object.entries(metadata).filter(([, value]) => value !== null);
  return html`<dl class="pairs">
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd><${UntrustedText} text=${typeof value === 'string' ? value : JSON.stringify(value)} /></dd>
        </div>`,
    )}
  </dl>`;
}

const FILE_TIMEOUT_MS = 120_000;

type ArtifactFileProps = { readonly path: string; readonly name: string };

/** A stored file of the service, shown as an image or offered for download. Only paths of the service itself are requested. */
function ArtifactFile({ path, name }: ArtifactFileProps): VNode {
  const [file, setFile] = useState<Blob | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    async function read(): Promise<void> {
      const response = await sendRequest('GET', path, { signal: controller.signal, timeoutMs: FILE_TIMEOUT_MS });
      if (!(response instanceof Response)) return setFailure(response);
      if (!response.ok) return setFailure(toApiFailure(response, parseJson(await response.text())));
      return setFile(await response.blob());
    }
    if (path.startsWith('/v1/artifacts/')) void read();
    return () => controller.abort();
  }, [path]);
  if (failure !== null && failure.code !== 'aborted') return html`<${FailureNote} failure=${failure} />`;
  return file === null
    ? html`<p class="loading" aria-busy="true">Loading …</p>`
    : html`<${FileView} file=${file} name=${name} />`;
}

type FileViewProps = { readonly file: Blob; readonly name: string };

/** Shows an image; offers any file for download. */
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
      <span class="faint">${file.type}, ${formatBytes(file.size)}</span>
    </p>
  </div>`;
}
