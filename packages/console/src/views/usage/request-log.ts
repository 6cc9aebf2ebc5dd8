import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { getList, getNumber, getText } from '#console/app/json.ts';
import { usePagedList, useRowSearch, useKnownValues } from '#console/app/paged-list.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, replaceQuery } from '#console/app/router.ts';
import { SelectField, SearchBox } from '#console/parts/controls.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { EmptyState, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { formatCount, formatDuration, Timestamp } from '#console/parts/format.ts';
import { AttemptList } from '#console/views/playground/attempt-list.ts';

/** The choices of the status filter. */
const STATUSES = [
  ['', 'any'],
  ['200', '200 OK'],
  ['400', '400 invalid'],
  ['402', '402 credits or plan'],
  ['404', '404 not found'],
  ['429', '429 too many requests'],
  ['502', '502 target failed'],
  ['503', '503 unavailable'],
  ['504', '504 timeout'],
] as const;

const COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'When', width: '9rem', cell: (one) => html`<${Timestamp} at=${getText(one, 'at')} />` },
  {
    title: 'Operation',
    width: 'minmax(8rem, 2fr)',
    cell: (one) => html`<code>${getText(one, 'operation')}</code>`,
  },
  {
    title: 'Answer',
    width: 'minmax(8rem, 2fr)',
    cell: (one) => {
      const code = getText(one, 'code');
      const status = String(getNumber(one, 'status') ?? '');
      return html`<${Badge} word=${code === '' ? status : `${status} ${code}`} tone=${code === '' ? 'good' : 'bad'} />`;
    },
  },
  { title: 'Credits', width: '6rem', isNumber: true, cell: (one) => formatCount(getNumber(one, 'credits') ?? 0) },
  { title: 'Tier', width: '7rem', cell: (one) => getText(one, 'tier') || '–' },
  { title: 'Took', width: '6rem', isNumber: true, cell: (one) => formatDuration(getNumber(one, 'duration_ms') ?? 0) },
];

type RequestLogProps = { readonly query: Readonly<Record<string, string>> };

/** The requests of the last 24 hours. A request opens in a dialog with its attempts. */
export function RequestTable({ query }: RequestLogProps): VNode {
  const { operation = '', status = '', q = '', request } = query;
  const show = (id: string | undefined): void => replaceQuery({ ...query, request: id });
  const list = usePagedList('/v1/requests', { query: { operation, status } });
  const { rows, isLoaded, failure, loadMore, reload } = list;
  const { found } = useRowSearch(list, q, buildSearchText);
  const operations = useKnownValues(rows, 'operation', operation);
  const isFiltered = operation !== '' || status !== '' || q !== '';
  return html`<section aria-labelledby="requests">
    <h2 id="requests">Requests of the last 24 hours</h2>
    <div class="toolbar">
      <${SearchBox}
        label="Search requests"
        value=${q}
        onInput=${(text: string) => replaceQuery({ ...query, q: text || undefined })}
      />
      <${SelectField}
        label="Operation"
        value=${operation}
        options=${[['', 'any'], ...operations.map((one) => [one, one])]}
        onChoose=${(word: string) => replaceQuery({ ...query, operation: word || undefined })}
      />
      <${SelectField}
        label="Answer"
        value=${status}
        options=${STATUSES}
        onChoose=${(word: string) => replaceQuery({ ...query, status: word || undefined })}
      />
      <button type="button" onClick=${reload}>Refresh</button>
    </div>
    ${failure === null ? null : html`<${FailureNote} failure=${failure} onRetry=${reload} />`}
    ${
      found.length > 0
        ? html`<${DataTable}
            label="Requests"
            columns=${COLUMNS}
            rows=${found}
            rowKey=${(one: unknown) => getText(one, 'id')}
            onOpen=${(one: unknown) => show(getText(one, 'id'))}
            onEnd=${loadMore}
          />`
        : isLoaded
          ? html`<${EmptyState} title=${isFiltered ? 'No request matches.' : 'No requests yet.'}>
              ${isFiltered ? 'Remove a filter, or search for other words.' : 'Calls that do work are listed here for a day.'}
            <//>`
          : null
    }
    ${request === undefined ? null : html`<${RequestDialog} id=${request} onClose=${() => show(undefined)} />`}
  </section>`;
}

/** Builds the text of a request that a search looks through. */
function buildSearchText(request: unknown): string {
  const words = ['operation', 'code', 'tier', 'id', 'url', 'message'].map((name) => getText(request, name));
  return `${words.join(' ')} ${getNumber(request, 'status') ?? ''}`;
}

type RequestDialogProps = { readonly id: string; readonly onClose: () => void };

function RequestDialog({ id, onClose }: RequestDialogProps): VNode {
  const request = useResource(`/v1/requests/${encodeURIComponent(id)}`);
  return html`<${Dialog} title="Request" onClose=${onClose} isWide>
    <p><code>${id}</code></p>
    <${ResourceView} resource=${request}>${(body: unknown) => html`<${RequestFacts} request=${body} />`}<//>
  <//>`;
}

type RequestFactsProps = { readonly request: unknown };

/** The details of a request, with its attempts. */
function RequestFacts({ request }: RequestFactsProps): VNode {
  const attempts = getList(request, 'attempts');
  const [status, code] = [String(getNumber(request, 'status') ?? ''), getText(request, 'code')];
  const operation = getText(request, 'operation');
  const [url, message] = [getText(request, 'url'), getText(request, 'message')];
  return html`<dl class="facts-list">
      <div>
        <dt>Operation</dt>
        <dd><a href=${linkTo(`/playground/${operation}`)}>${operation}</a></dd>
      </div>
      <div>
        <dt>Answer</dt>
        <dd><${Badge} word=${`${status} ${code}`.trim()} tone=${code === '' ? 'good' : 'bad'} /></dd>
      </div>
      ${url === '' ? null : html`<${ForeignFact} name="URL" text=${url} />`}
      ${message === '' ? null : html`<${ForeignFact} name="Message" text=${message} />`}
      <div>
        <dt>When</dt>
        <dd>
          <${Timestamp} at=${getText(request, 'at')} mode="full" />, took${' '}
          ${formatDuration(getNumber(request, 'duration_ms') ?? 0)}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>${formatCount(getNumber(request, 'credits') ?? 0)} credits</dd>
      </div>
    </dl>
    <h3>Attempts</h3>
    ${attempts.length === 0 ? html`<p>The request itself visited no page. For a job, see the attempts of its pages.</p>` : html`<${AttemptList} attempts=${attempts} />`}`;
}

type ForeignFactProps = { readonly name: string; readonly text: string };

function ForeignFact({ name, text }: ForeignFactProps): VNode {
  return html`<div>
    <dt>${name}</dt>
    <dd><${UntrustedText} text=${text} /></dd>
  </div>`;
}
