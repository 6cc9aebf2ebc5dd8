import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isRecord, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { Empty } from '#console/parts/empty.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { AnswerTabs } from '#console/views/playground/answer-view.ts';
import { isEndedJob } from './job-target.ts';

type JobResultProps = { readonly job: unknown };

/** What a job answered, the beginning of its list where that is long. */
export function JobResult({ job }: JobResultProps): VNode {
  const isEnded = isEndedJob(job);
  const hasResult = ['completed', 'cancelled'].includes(textAt(job, 'status'));
  const query = textAt(job, 'kind') === 'crawl' ? { outline: 'true', limit: 50 } : { partial: 'true' };
  const result = useResource(hasResult ? `/v1/jobs/${encodeURIComponent(textAt(job, 'id'))}/result` : null, {
    query: textAt(job, 'status') === 'cancelled' ? { ...query, partial: 'true' } : query,
  });
  if (!hasResult) {
    return html`<${Empty} title=${isEnded ? 'There is no result.' : 'Not yet.'}>
      ${isEnded ? 'What the job says above names the reason.' : 'It stands here when the job has ended.'}
    <//>`;
  }
  return html`<${ResourceView} of=${result}>
    ${(body: unknown) => html`<${AnswerTabs} body=${isRecord(body) ? body : {}} />`}
  <//>`;
}
