import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isRecord, recordAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { useEvents } from '#console/parts/events.ts';
import { FailureNote } from '#console/parts/failure.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { Badge } from '#console/parts/status.ts';
import { Tabs, type TabSpec } from '#console/parts/tabs.ts';
import { CrawlPages } from './crawl-pages.ts';
import { SiteTree } from './crawl-tree.ts';
import { JobActions } from './job-actions.ts';
import { JobProgress } from './job-progress.ts';
import { JobResult } from './job-result.ts';
import { isEndedJob, targetOfJob } from './job-target.ts';

/** One job: how far it is while it runs, what it found, and what can be done about it. */
export function JobDetail({ params, query }: ViewProps): VNode {
  const id = params['id'] ?? '';
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const read = useResource(path);
  const isFollowed = read.body !== undefined && !isEndedJob(read.body);
  const { state: live, failure } = useEvents<unknown>(
    isFollowed ? `${path}/events` : null,
    null,
    (_before, { data }) => data,
  );
  // What was read after a cancellation may be newer than the last event.
  const job = isFollowed ? (live ?? read.body) : read.body;
  return html`<div class="view" key=${id}>
    <div class="view-head">
      <h1 tabIndex=${-1}>${job === undefined ? 'Job' : textAt(job, 'kind')}</h1>
      ${isRecord(job) ? html`<${JobActions} job=${job} onChanged=${read.reload} />` : null}
    </div>
    ${failure === null ? null : html`<${FailureNote} failure=${failure} />`}
    <${ResourceView} of=${read}>${() => html`<${JobBody} job=${job} query=${query} />`}<//>
  </div>`;
}

type JobBodyProps = { readonly job: unknown; readonly query: Readonly<Record<string, string>> };

function JobBody({ job, query }: JobBodyProps): VNode {
  const isCrawl = textAt(job, 'kind') === 'crawl';
  const problem = textAt(job, 'error', 'message');
  const input: TabSpec = {
    name: 'input',
    title: 'Input',
    show: () => html`<${JsonTree} label="Input" value=${recordAt(job, 'input')} />`,
  };
  const result: TabSpec = { name: 'result', title: 'Result', show: () => html`<${JobResult} job=${job} />` };
  const pages: TabSpec = {
    name: 'pages',
    title: 'Pages',
    show: () => html`<${CrawlPages} job=${job} query=${query} />`,
  };
  const tree: TabSpec = { name: 'tree', title: 'Tree', show: () => html`<${SiteTree} job=${job} />` };
  return html`<p>
      <span role="status"><${Badge} word=${textAt(job, 'status')} /></span>${' '}
      <${Foreign} text=${targetOfJob(job)} most=${500} />
      <code class="faint"> ${textAt(job, 'id')}</code>
    </p>
    ${
      problem === ''
        ? null
        : html`<div class="note note-bad" role="alert">
            <p><strong dir="auto">${problem}</strong></p>
            <p class="faint"><code>${textAt(job, 'error', 'code')}</code></p>
          </div>`
    }
    <${JobProgress} job=${job} />
    <${Tabs}
      label="Of this job"
      tabs=${isCrawl ? [pages, tree, result, input] : [result, input]}
      open=${query['tab']}
      onOpen=${(name: string) => replaceQuery({ ...query, tab: name })}
    />
    ${
      isRecord(job) && isRecord(job['webhook'])
        ? html`<p><a href=${linkTo('/webhooks', { job_id: textAt(job, 'id') })}>Deliveries of its webhook</a></p>`
        : null
    }`;
}
