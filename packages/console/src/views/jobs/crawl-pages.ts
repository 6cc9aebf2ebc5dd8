import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type PagedList, usePagedList } from '#console/app/paged-list.ts';
import { isRecord, isTrueAt, listAt, numberAt, textAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, replaceQuery } from '#console/app/router.ts';
import { doLater } from '#console/app/service-clock.ts';
import { isTicked, SearchBox, SelectField } from '#console/parts/controls.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { Empty, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { Foreign, ForeignLink } from '#console/parts/untrusted.ts';
import { isDetailsOpen } from '#console/parts/json-tree.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, toSize } from '#console/parts/format.ts';
import { AnswerTabs } from '#console/views/playground/answer-view.ts';
import { isEndedJob } from './describe-job.ts';

const PAGE_SIZE = 500;
const OFTEN_MS = 4000;
const SELDOM_MS = 10_000;
const TONES = { stored: 'good', failed: 'bad', skipped: 'calm', waiting: 'calm', visiting: 'busy' } as const;
const STATES = [
  ['', 'all'],
  ['stored', 'stored'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['waiting', 'waiting'],
] as const;

/** The columns; pages of the host that the crawl began on are named by their path. */
function columnsOf(start: string): readonly TableColumn<unknown>[] {
  const origin = URL.canParse(start) ? new URL(start).origin : null;
  const toShort = (url: string): string =>
    origin !== null && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  return [
    {
      title: 'Page',
      width: 'minmax(14rem, 4fr)',
      cell: (page) =>
        html`<span title=${textAt(page, 'url').slice(0, 2000)}
          ><${Foreign} text=${toShort(textAt(page, 'url'))} most=${300}
        /></span>`,
    },
    {
      title: 'Title',
      width: 'minmax(8rem, 3fr)',
      cell: (page) => html`<${Foreign} text=${textAt(page, 'title')} most=${200} />`,
    },
    {
      title: 'State',
      width: '10rem',
      cell: (page) => {
        const state = textAt(page, 'state');
        const word = isTrueAt(page, 'near_duplicate') ? 'near duplicate' : textAt(page, 'code') || state;
        return html`<${Badge}
          word=${word}
          tone=${Object.entries(TONES).find(([name]) => name === state)?.[1] ?? 'calm'}
        />`;
      },
    },
    { title: 'Status', width: '4rem', isNumber: true, cell: (page) => String(numberAt(page, 'status_code') ?? '–') },
    { title: 'Depth', width: '4rem', isNumber: true, cell: (page) => String(numberAt(page, 'depth') ?? '–') },
    {
      title: 'Size',
      width: '5rem',
      isNumber: true,
      cell: (page) => {
        const bytes = numberAt(page, 'bytes');
        return bytes === null ? '–' : toSize(bytes);
      },
    },
  ];
}

type CrawlPagesProps = { readonly job: unknown; readonly query: Readonly<Record<string, string>> };

/** The pages of a crawl in the order in which they were found, also while it runs. */
export function CrawlPages({ job, query }: CrawlPagesProps): VNode {
  const { state = '', code = '', search = '', prefix = '', depth = '', near = '' } = query;
  const [opened, setOpened] = useState<unknown>(null);
  const path = `/v1/jobs/${encodeURIComponent(textAt(job, 'id'))}`;
  const start = textAt(job, 'input', 'url');
  const columns = useMemo(() => columnsOf(start), [start]);
  const isEnded = isEndedJob(job);
  const list = usePagedList(`${path}/pages`, {
    query: { state, code, search, prefix, depth, near_duplicate: near === '' ? undefined : 'true' },
    pageSize: PAGE_SIZE,
  });
  const tree = useResource(`${path}/tree`, isEnded ? {} : { everyMs: SELDOM_MS });
  const tellSeen = useFreshRows(list, isEnded);
  const set = (name: string, value: string): void => replaceQuery({ ...query, [name]: value || undefined });
  const isFiltered = [state, code, search, prefix, depth, near].some((word) => word !== '');
  return html`<div class="listed">
    <div class="toolbar">
      <${SearchBox} label="In URL or title" value=${search} onInput=${(text: string) => set('search', text)} />
      <${SelectField} label="State" value=${state} options=${STATES} onChoose=${(word: string) => set('state', word)} />
      <${SelectField}
        label="Cause"
        value=${code}
        options=${causesOf(tree.body)}
        onChoose=${(word: string) => set('code', word)}
      />
      <${SelectField}
        label="Depth"
        value=${depth}
        options=${depthsOf(tree.body)}
        onChoose=${(word: string) => set('depth', word)}
      />
      <label class="field-inline">
        <input
          type="checkbox"
          checked=${near !== ''}
          onChange=${(event: Event) => set('near', isTicked(event) ? 'true' : '')}
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
            total=${isFiltered ? undefined : (numberAt(tree.body, 'counts', 'total') ?? undefined)}
            keyOf=${(page: unknown) => String(numberAt(page, 'seq') ?? textAt(page, 'url'))}
            onOpen=${(page: unknown) => setOpened(page)}
            onEnd=${list.readMore}
            onSeen=${tellSeen}
          />`
        : html`<${NoPages} isRead=${list.isRead} isFiltered=${isFiltered} />`
    }
    ${opened === null ? null : html`<${PageDialog} jobPath=${path} page=${opened} onClose=${() => setOpened(null)} />`}
  </div>`;
}

/** Reads what is looked at again and again while a crawl runs, and once more when it has ended; is told the row. */
function useFreshRows({ reloadAt }: PagedList, isEnded: boolean): (first: number) => void {
  const seen = useRef(0);
  const [tick, setTick] = useState(0);
  const wasEnded = useRef(isEnded);
  useEffect(() => {
    if (isEnded && wasEnded.current) return undefined;
    wasEnded.current = isEnded;
    return doLater(isEnded ? 0 : OFTEN_MS, () => {
      void reloadAt(seen.current);
      setTick((count) => count + 1);
    });
  }, [isEnded, tick, reloadAt]);
  return useCallback((first: number) => {
    seen.current = first;
  }, []);
}

type NoPagesProps = { readonly isRead: boolean; readonly isFiltered: boolean };

function NoPages({ isRead, isFiltered }: NoPagesProps): VNode {
  if (!isRead) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<${Empty} title=${isFiltered ? 'No page fits.' : 'No pages yet.'}>
    ${isFiltered ? 'Take a filter away.' : 'They appear here as they are found.'}
  <//>`;
}

function causesOf(tree: unknown): readonly (readonly [string, string])[] {
  return [
    ['', 'any'],
    ...listAt(tree, 'counts', 'by_code').map((one): readonly [string, string] => {
      const code = textAt(one, 'code');
      return [code, `${code.replaceAll('_', ' ')} (${toCount(numberAt(one, 'count') ?? 0)})`];
    }),
  ];
}

function depthsOf(tree: unknown): readonly (readonly [string, string])[] {
  return [
    ['', 'any'],
    ...listAt(tree, 'counts', 'by_depth').map((one): readonly [string, string] => {
      const depth = String(numberAt(one, 'depth') ?? 0);
      return [depth, `${depth} (${toCount(numberAt(one, 'count') ?? 0)})`];
    }),
  ];
}

type PageDialogProps = { readonly jobPath: string; readonly page: unknown; readonly onClose: () => void };

/** One page of a crawl: its outputs where it was stored, why not where it was not. */
function PageDialog({ jobPath, page, onClose }: PageDialogProps): VNode {
  const place = textAt(page, 'place');
  const body = useResource(place === '' ? null : `${jobPath}/page`, { query: { place } });
  return html`<${Dialog} title=${textAt(page, 'title') || 'Page'} onClose=${onClose} isWide>
    <p><${ForeignLink} url=${textAt(page, 'url')} /></p>
    ${
      place === ''
        ? html`<p>
            ${textAt(page, 'state')}${textAt(page, 'code') === '' ? '' : html`: <code>${textAt(page, 'code')}</code>`}
            <br /><${Foreign} text=${textAt(page, 'message')} />
          </p>`
        : html`<${ResourceView} of=${body}>
            ${(output: unknown) => html`<${AnswerTabs} body=${isRecord(output) ? output : {}} />`}
          <//>`
    }
    ${numberAt(page, 'status_code') === null ? null : html`<p class="faint">HTTP ${numberAt(page, 'status_code')}</p>`}
  <//>`;
}

const MAX_NAME = 120;

type CrawlTreeProps = { readonly job: unknown };

/** A crawled site by its paths, each with the pages below it; a branch is read when it is opened. */
export function SiteTree({ job }: CrawlTreeProps): VNode {
  return html`<div class="site-tree"><${Branch} id=${textAt(job, 'id')} prefix="" /></div>`;
}

type BranchProps = { readonly id: string; readonly prefix: string };

function Branch({ id, prefix }: BranchProps): VNode {
  const read = useResource(`/v1/jobs/${encodeURIComponent(id)}/tree`, { query: { prefix } });
  return html`<${ResourceView} of=${read}>
    ${(body: unknown) =>
      html`<ul>
        ${listAt(body, 'children').map(
          (child, _at, all) =>
            html`<li key=${textAt(child, 'prefix')}>
              <${Twig} id=${id} child=${child} isAlone=${all.length === 1} />
            </li>`,
        )}
        ${isTrueAt(body, 'cut') ? html`<li class="faint">More than are shown here: use the filters of Pages.</li>` : null}
      </ul>`}
  <//>`;
}

type TwigProps = { readonly id: string; readonly child: unknown; readonly isAlone: boolean };

/** A part of the path, open from the start where there is no choice. */
function Twig({ id, child, isAlone }: TwigProps): VNode {
  const [isOpen, setOpen] = useState(isAlone);
  const prefix = textAt(child, 'prefix');
  const name = textAt(child, 'name') || '/';
  const pages = linkTo(`/jobs/${id}`, { tab: 'pages', prefix });
  const counts = html`<${TreeCounts} child=${child} />`;
  if (isTrueAt(child, 'is_leaf')) return html`<a href=${pages}><${Foreign} text=${shorten(name)} /></a>${' '}${counts}`;
  return html`<details open=${isOpen} onToggle=${(event: Event) => setOpen(isDetailsOpen(event))}>
    <summary><${Foreign} text=${shorten(name)} /> ${counts}</summary>
    ${
      isOpen
        ? html`<a class="small" href=${pages} aria-label=${`List the pages below ${name}`}>List the pages</a>
            <${Branch} id=${id} prefix=${prefix} />`
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
    const count = numberAt(child, name) ?? 0;
    return count === 0 ? [] : [`${toCount(count)} ${name}`];
  });
  return html`<span class="faint">${parts.join(', ')}</span>`;
}
