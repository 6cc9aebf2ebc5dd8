import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { listAt, numberAt, textAt } from '#console/app/json.ts';
import { usePagedList, useSearchedRows, useSeenWords } from '#console/app/paged-list.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, replaceQuery } from '#console/app/router.ts';
import { SelectField, SearchBox } from '#console/parts/controls.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { Empty, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, toDuration, When } from '#console/parts/format.ts';
import { AttemptLine } from '#console/views/playground/attempt-list.ts';

/** Statuses that a log is searched for. */
const STATUSES = [
  ['', 'any'],
  ['200', '200 answered'],
  ['400', '400 invalid'],
  ['402', '402 credits or plan'],
  ['404', '404 not found'],
  ['429', '429 too many'],
  ['502', '502 the target failed'],
  ['503', '503 unavailable'],
  ['504', '504 timeout'],
] as const;

const COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'When', width: '9rem', cell: (one) => html`<${When} at=${textAt(one, 'at')} />` },
  {
    title: 'Operation',
    width: 'minmax(8rem, 2fr)',
    cell: (one) => html`<code>${textAt(one, 'operation')}</code>`,
  },
  {
    title: 'Answer',
    width: 'minmax(8rem, 2fr)',
    cell: (one) => {
      const code = textAt(one, 'code');
      const status = String(numberAt(one, 'status') ?? '');
      return html`<${Badge} word=${code === '' ? status : `${status} ${code}`} tone=${code === '' ? 'good' : 'bad'} />`;
    },
  },
  { title: 'Credits', width: '6rem', isNumber: true, cell: (one) => toCount(numberAt(one, 'credits') ?? 0) },
  { title: 'Tier', width: '7rem', cell: (one) => textAt(one, 'tier') || '–' },
  { title: 'Took', width: '6rem', isNumber: true, cell: (one) => toDuration(numberAt(one, 'duration_ms') ?? 0) },
];

type RequestLogProps = { readonly query: Readonly<Record<string, string>> };

/** The requests for work of the last day; one opens with every attempt that it made. */
export function RequestTable({ query }: RequestLogProps): VNode {
  const { operation = '', status = '', q = '', request } = query;
  const show = (id: string | undefined): void => replaceQuery({ ...query, request: id });
  const list = usePagedList('/v1/requests', { query: { operation, status } });
  const { rows, isRead, failure, readMore, reload } = list;
  const { found } = useSearchedRows(list, q, toRequestText);
  const operations = useSeenWords(rows, 'operation', operation);
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
            keyOf=${(one: unknown) => textAt(one, 'id')}
            onOpen=${(one: unknown) => show(textAt(one, 'id'))}
            onEnd=${readMore}
          />`
        : isRead
          ? html`<${Empty} title=${isFiltered ? 'No request fits.' : 'No requests yet.'}>
              ${isFiltered ? 'Take a filter away, or search for other words.' : 'Each call for work stands here for a day.'}
            <//>`
          : null
    }
    ${request === undefined ? null : html`<${RequestDialog} id=${request} onClose=${() => show(undefined)} />`}
  </section>`;
}

/** What a search looks for in a request. */
function toRequestText(request: unknown): string {
  const words = ['operation', 'code', 'tier', 'id', 'url', 'message'].map((name) => textAt(request, name));
  return `${words.join(' ')} ${numberAt(request, 'status') ?? ''}`;
}

type RequestDialogProps = { readonly id: string; readonly onClose: () => void };

function RequestDialog({ id, onClose }: RequestDialogProps): VNode {
  const request = useResource(`/v1/requests/${encodeURIComponent(id)}`);
  return html`<${Dialog} title="Request" onClose=${onClose} isWide>
    <p><code>${id}</code></p>
    <${ResourceView} of=${request}>${(body: unknown) => html`<${RequestFacts} request=${body} />`}<//>
  <//>`;
}

type RequestFactsProps = { readonly request: unknown };

/** What was asked and answered, and each attempt on the way. */
function RequestFacts({ request }: RequestFactsProps): VNode {
  const attempts = listAt(request, 'attempts');
  const [status, code] = [String(numberAt(request, 'status') ?? ''), textAt(request, 'code')];
  const operation = textAt(request, 'operation');
  const [url, message] = [textAt(request, 'url'), textAt(request, 'message')];
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
          <${When} at=${textAt(request, 'at')} mode="full" />, took${' '}
          ${toDuration(numberAt(request, 'duration_ms') ?? 0)}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>${toCount(numberAt(request, 'credits') ?? 0)} credits</dd>
      </div>
    </dl>
    <h3>Attempts</h3>
    ${attempts.length === 0 ? html`<p>It visited no page itself. See the pages of the job for its attempts.</p>` : html`<${AttemptLine} attempts=${attempts} />`}`;
}

type ForeignFactProps = { readonly name: string; readonly text: string };

function ForeignFact({ name, text }: ForeignFactProps): VNode {
  return html`<div>
    <dt>${name}</dt>
    <dd><${Foreign} text=${text} /></dd>
  </div>`;
}
