import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { listAt, numberAt, textAt, valueAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { SearchBox } from '#console/parts/choices.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { When } from '#console/parts/time.ts';

const TONES = { good: 'good', degraded: 'warn', broken: 'bad' } as const;

/** What answers by backends of the operator has no page to be proven on. */
const VERIFIED: ReadonlyMap<unknown, string> = new Map([
  [true, 'verified'],
  [false, 'unverified'],
  [null, 'backends'],
]);

/** Shops have a domain for each country. */
const MAX_DOMAINS = 3;

const COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Endpoint', width: 'minmax(11rem, 3fr)', cell: (one) => html`<code>${textAt(one, 'endpoint')}</code>` },
  {
    title: 'Reads',
    width: 'minmax(9rem, 2fr)',
    cell: (one) => listAt(one, 'domains').slice(0, MAX_DOMAINS).map(String).join(', ') || '–',
  },
  {
    title: 'Health',
    width: '8rem',
    cell: (one) => {
      const level = textAt(one, 'level');
      const tone = Object.entries(TONES).find(([name]) => name === level)?.[1] ?? 'calm';
      return html`<${Badge} word=${level} tone=${tone} />`;
    },
  },
  { title: 'Verified', width: '8rem', cell: (one) => VERIFIED.get(valueAt(one, 'verified')) ?? '–' },
  { title: 'Answered', width: '7rem', isNumber: true, cell: (one) => String(numberAt(one, 'served') ?? 0) },
  { title: 'Last success', width: '9rem', cell: (one) => html`<${When} at=${textAt(one, 'last_success_at')} />` },
  {
    title: 'Failed in a row',
    width: '8rem',
    isNumber: true,
    cell: (one) => String(numberAt(one, 'failed_in_row') ?? 0),
  },
  {
    title: 'Last failure',
    width: 'minmax(9rem, 2fr)',
    cell: (one) => html`<${Foreign} text=${textAt(one, 'last_failure')} most=${160} />`,
  },
];

/** The endpoints of sites with how their last calls went. */
export function SitesPanel(): VNode {
  const [search, setSearch] = useState('');
  const sites = useResource('/v1/admin/sites');
  return html`<div class="listed">
    <div class="toolbar"><${SearchBox} label="Search endpoints" value=${search} onInput=${setSearch} /></div>
    <${ResourceView} of=${sites}>
      ${(body: unknown) =>
        html`<${DataTable}
          label="Endpoints of sites"
          columns=${COLUMNS}
          rows=${listAt(body, 'data').filter((one) => isFound(one, search.toLowerCase().trim()))}
          keyOf=${(one: unknown) => textAt(one, 'endpoint')}
        />`}
    <//>
  </div>`;
}

/** Whether an endpoint is of the name, or of the domain, that is searched for. */
function isFound(one: unknown, search: string): boolean {
  return [textAt(one, 'endpoint'), ...listAt(one, 'domains').map(String)].some((name) => name.includes(search));
}
