import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type PagedList, usePagedList } from '#console/app/paged-list.ts';
import { isRecord, isTrue, getList, getNumber, getText } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, replaceQuery } from '#console/app/router.ts';
import { runAfter } from '#console/app/service-clock.ts';
import { isChecked, SearchBox, SelectField } from '#console/parts/controls.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { EmptyState, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { UntrustedText, UntrustedLink } from '#console/parts/untrusted.ts';
import { isDetailsOpen } from '#console/parts/json-tree.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { formatCount, formatBytes } from '#console/parts/format.ts';
import { AnswerTabs } from '#console/views/playground/answer-view.ts';
import { isJobEnded } from './describe-job.ts';

const PAGE_SIZE = 500;
const PAGES_REFRESH_MS = 4000;
const TREE_REFRESH_MS = 10_000;
const TONES = { stored: 'good', failed: 'bad', skipped: 'calm', waiting: 'calm', visiting: 'busy' } as const;
const STATES = [
  ['', 'all'],
  ['stored', 'stored'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['waiting', 'waiting'],
] as const;

/** Builds the columns. Pages on the start host are shown by their path. */
function buildColumns(start: string): readonly TableColumn<unknown>[] {
  const origin = URL.canParse(start) ? new URL(start).origin : null;
  const toShort = (url: string): string =>
    origin !== null && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  return [
    {
      title: 'Page',
      width: 'minmax(14rem, 4fr)',
      cell: (page) =>
        html`<span title=${getText(page, 'url').slice(0, 2000)}
          ><${UntrustedText} text=${toShort(getText(page, 'url'))} maxLength=${300}
        /></span>`,
    },
    {
      title: 'Title',
      width: 'minmax(8rem, 3fr)',
      cell: (page) => html`<${UntrustedText} text=${getText(page, 'title')} maxLength=${200} />`,
    },
    {
      title: 'State',
      width: '10rem',
      cell: (page) => {
        const state = getText(page, 'state');
        const word = isTrue(page, 'near_duplicate') ? 'near duplicate' : getText(page, 'code') || state;
        return html`<${Badge}
          word=${word}
          tone=${Object.entries(TONES).find(([name]) => name === state)?.[1] ?? 'calm'}
        />`;
      },
    },
    { title: 'Status', width: '4rem', isNumber: true, cell: (page) => String(getNumber(page, 'status_code') ?? '–') },
    { title: 'Depth', width: '4rem', isNumber: true, cell: (page) => String(getNumber(page, 'depth') ?? '–') },
    {
      title: 'Size',
      width: '5rem',
      isNumber: true,
      cell: (page) => {
        const bytes = getNumber(page, 'bytes');
        return bytes === null ? '–' : formatBytes(bytes);
      },
    },
  ];
}

type CrawlPagesProps = { readonly job: unknown; readonly query: Readonly<Record<string, string>> };

/** The pages of a crawl in the order of discovery, also while it runs. */
export function CrawlPages({ job, query }: CrawlPagesProps): VNode {
  const { state = '', code = '', search = '', prefix = '', depth = '', near = '' } = query;
  const [opened, setOpened] = useState<unknown>(null);
  const path = `/v1/jobs/${encodeURIComponent(getText(job, 'id'))}`;
  const start = getText(job, 'input', 'url');
  const columns = useMemo(() => buildColumns(start), [start]);
  const isEnded = isJobEnded(job);
  const list = usePagedList(`${path}/pages`, {
    query: { state, code, search, prefix, depth, near_duplicate: near === '' ? undefined : 'true' },
    pageSize: PAGE_SIZE,
  });
  const tree = useResource(`${path}/tree`, isEnded ? {} : { refreshMs: TREE_REFRESH_MS });
  const noteFirstVisibleRow = useFreshRows(list, isEnded);
  const set = (name: string, value: string): void => replaceQuery({ ...query, [name]: value || undefined });
  const isFiltered = [state, code, search, prefix, depth, near].some((word) => word !== '');
  return html`<div class="listed">
    <div class="toolbar">
      <${SearchBox} label="In URL or title" value=${search} onInput=${(text: string) => set('search', text)} />
      <${SelectField} label="State" value=${state} options=${STATES} onChoose=${(word: string) => set('state', word)} />
      <${SelectField}
        label="Cause"
        value=${code}
        options=${listCauses(tree.body)}
        onChoose=${(word: string) => set('code', word)}
      />
      <${SelectField}
        label="Depth"
        value=${depth}
        options=${listDepths(tree.body)}
        onChoose=${(word: string) => set('depth', word)}
      />
      <label class="field-inline">
        <input
          type="checkbox"
          checked=${near !== ''}
          onChange=${(event: Event) => set('near', isChecked(event) ? 'true' : '')}
        />
        near duplicates only
      </label>
      ${
        prefix === ''
          ? null
          : html`<span>below <code class="foreign">${prefix}</code></span>
              <button type="button" class="small" onClick=${() => set('prefix', '')}>Whole site</button>`
      }
    </div>
    ${list.failure === null ? null : html`<${FailureNote} failure=${list.failure} onRetry=${list.reload} />`}
    ${
      list.rows.length > 0
        ? html`<${DataTable}
            label="Pages"
            columns=${columns}
            rows=${list.rows}
            total=${isFiltered ? undefined : (getNumber(tree.body, 'counts', 'total') ?? undefined)}
            rowKey=${(page: unknown) => String(getNumber(page, 'seq') ?? getText(page, 'url'))}
            onOpen=${(page: unknown) => setOpened(page)}
            onEnd=${list.loadMore}
            onSeen=${noteFirstVisibleRow}
          />`
        : html`<${NoPages} isLoaded=${list.isLoaded} isFiltered=${isFiltered} />`
    }
    ${opened === null ? null : html`<${PageDialog} jobPath=${path} page=${opened} onClose=${() => setOpened(null)} />`}
  </div>`;
}

/** Refreshes the visible rows while a crawl runs, and once when it has ended. Returns a function that takes the first visible row. */
function useFreshRows({ reloadRow }: PagedList, isEnded: boolean): (first: number) => void {
  const seen = useRef(0);
  const [tick, setTick] = useState(0);
  const wasEnded = useRef(isEnded);
  useEffect(() => {
    if (isEnded && wasEnded.current) return undefined;
    wasEnded.current = isEnded;
    return runAfter(isEnded ? 0 : PAGES_REFRESH_MS, () => {
      void reloadRow(seen.current);
      setTick((count) => count + 1);
    });
  }, [isEnded, tick, reloadRow]);
  return useCallback((first: number) => {
    seen.current = first;
  }, []);
}

type NoPagesProps = { readonly isLoaded: boolean; readonly isFiltered: boolean };

function NoPages({ isLoaded, isFiltered }: NoPagesProps): VNode {
  if (!isLoaded) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<${EmptyState} title=${isFiltered ? 'No page matches.' : 'No pages yet.'}>
    ${isFiltered ? 'Remove a filter.' : 'They appear here as they are found.'}
  <//>`;
}

function listCauses(tree: unknown): readonly (readonly [string, string])[] {
  return [
    ['', 'any'],
    ...getList(tree, 'counts', 'by_code').map((one): readonly [string, string] => {
      const code = getText(one, 'code');
      return [code, `${code.replaceAll('_', ' ')} (${formatCount(getNumber(one, 'count') ?? 0)})`];
    }),
  ];
}

function listDepths(tree: unknown): readonly (readonly [string, string])[] {
  return [
    ['', 'any'],
    ...getList(tree, 'counts', 'by_depth').map((one): readonly [string, string] => {
      const depth = String(getNumber(one, 'depth') ?? 0);
      return [depth, `${depth} (${formatCount(getNumber(one, 'count') ?? 0)})`];
    }),
  ];
}

type PageDialogProps = { readonly jobPath: string; readonly page: unknown; readonly onClose: () => void };

/** One page of a crawl: its outputs if it was stored, else why it was not. */
function PageDialog({ jobPath, page, onClose }: PageDialogProps): VNode {
  const place = getText(page, 'place');
  const body = useResource(place === '' ? null : `${jobPath}/page`, { query: { place } });
  return html`<${Dialog} title=${getText(page, 'title') || 'Page'} onClose=${onClose} isWide>
    <p><${UntrustedLink} url=${getText(page, 'url')} /></p>
    ${
      place === ''
        ? html`<p>
            ${getText(page, 'state')}${getText(page, 'code') === '' ? '' : html`: <code>${getText(page, 'code')}</code>`}
            <br /><${UntrustedText} text=${getText(page, 'message')} />
          </p>`
        : html`<${ResourceView} resource=${body}>
            ${(output: unknown) => html`<${AnswerTabs} body=${isRecord(output) ? output : {}} />`}
          <//>`
    }
    ${getNumber(page, 'status_code') === null ? null : html`<p class="faint">HTTP ${getNumber(page, 'status_code')}</p>`}
  <//>`;
}

const MAX_NAME = 120;

type CrawlTreeProps = { readonly job: unknown };

/** A crawled site as a tree of paths with page counts; a branch is loaded when it is opened. */
export function SiteTree({ job }: CrawlTreeProps): VNode {
  return html`<div class="site-tree"><${TreeBranch} id=${getText(job, 'id')} prefix="" /></div>`;
}

type TreeBranchProps = { readonly id: string; readonly prefix: string };

function TreeBranch({ id, prefix }: TreeBranchProps): VNode {
  const read = useResource(`/v1/jobs/${encodeURIComponent(id)}/tree`, { query: { prefix } });
  return html`<${ResourceView} resource=${read}>
    ${(body: unknown) =>
      html`<ul>
        ${getList(body, 'children').map(
          (child, _at, all) =>
            html`<li key=${getText(child, 'prefix')}>
              <${TreeNode} id=${id} child=${child} isAlone=${all.length === 1} />
            </li>`,
        )}
        ${isTrue(body, 'cut') ? html`<li class="faint">Not all are shown here: use the filters of the Pages tab.</li>` : null}
      </ul>`}
  <//>`;
}

type TreeNodeProps = { readonly id: string; readonly child: unknown; readonly isAlone: boolean };

/** A path segment. It is open at first if it is the only one. */
function TreeNode({ id, child, isAlone }: TreeNodeProps): VNode {
  const [isOpen, setOpen] = useState(isAlone);
  const prefix = getText(child, 'prefix');
  const name = getText(child, 'name') || '/';
  const pages = linkTo(`/jobs/${id}`, { tab: 'pages', prefix });
  const counts = html`<${TreeCounts} child=${child} />`;
  if (isTrue(child, 'is_leaf'))
    return html`<a href=${pages}><${UntrustedText} text=${shorten(name)} /></a>${' '}${counts}`;
  return html`<details open=${isOpen} onToggle=${(event: Event) => setOpen(isDetailsOpen(event))}>
    <summary><${UntrustedText} text=${shorten(name)} /> ${counts}</summary>
    ${
      isOpen
        ? html`<a class="small" href=${pages} aria-label=${`List the pages below ${name}`}>List the pages</a>
            <${TreeBranch} id=${id} prefix=${prefix} />`
        : null
    }
  </details>`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

type TreeCountsProps = { readonly child: unknown };

function TreeCounts({ child }: TreeCountsProps): VNode {
  const parts = ['stored', 'failed', 'skipped', 'waiting'].flatMap((name) => {
    const count = getNumber(child, name) ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${name}`];
  });
  return html`<span class="faint">${parts.join(', ')}</span>`;
}
