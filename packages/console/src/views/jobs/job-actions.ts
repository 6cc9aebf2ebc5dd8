import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call, send, toApiFailure } from '#console/app/api.ts';
import { isTrueAt, jsonIn, recordAt, textAt } from '#console/app/reading.ts';
import { goTo, linkTo } from '#console/app/router.ts';
import { doLater } from '#console/app/service-clock.ts';
import { Confirm } from '#console/parts/dialog.ts';
import { notify } from '#console/parts/toast.ts';
import { isEndedJob } from './job-target.ts';

/** What stands for a secret in the input of a record. */
const MASK = '********';
/** How long a browser may take to begin saving a file. */
const KEPT_MS = 60_000;

type JobActionsProps = { readonly job: unknown; readonly onChanged: () => void };

/** Cancel, run again, download and delete. */
export function JobActions({ job, onChanged }: JobActionsProps): VNode {
  const [asked, setAsked] = useState<'cancel' | 'delete' | null>(null);
  const [id, kind] = [textAt(job, 'id'), textAt(job, 'kind')];
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const isEnded = isEndedJob(job);
  const hasResult = ['completed', 'cancelled'].includes(textAt(job, 'status'));
  const input = recordAt(job, 'input');

  async function remove(): Promise<void> {
    const answer = await call('DELETE', path);
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    if (isEnded) goTo('/jobs');
    else onChanged();
    notify(isEnded ? 'The result is deleted.' : 'The job is told to stop.', 'good');
  }
  async function runAgain(): Promise<void> {
    if (JSON.stringify(input).includes(MASK)) {
      notify('Its input has secrets that are not shown: enter them again.', 'warn');
      return goTo(`/playground/${kind}`, { input: JSON.stringify(input) });
    }
    const answer = await call('POST', '/v1/jobs', { body: { kind, input } });
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    goTo(`/jobs/${textAt(answer.body, 'id')}`);
    notify('It runs again.', 'good');
  }

  return html`<div class="actions">
    ${
      hasResult
        ? html`<button type="button" onClick=${() => void download(`${path}/result?format=jsonl`, `${id}.jsonl`)}>
            Download JSONL
          </button>`
        : null
    }
    ${
      hasResult && isTrueAt(input, 'archive')
        ? html`<button type="button" onClick=${() => void download(`${path}/result?format=warc`, `${id}.warc.gz`)}>
            Download WARC
          </button>`
        : null
    }
    ${isEnded ? html`<button type="button" onClick=${() => void runAgain()}>Run again</button>` : null}
    <a class="button" href=${linkTo(`/playground/${kind}`, { input: JSON.stringify(input) })}>Edit and run again</a>
    <button type="button" class="danger" onClick=${() => setAsked(isEnded ? 'delete' : 'cancel')}>
      ${isEnded ? 'Delete' : 'Cancel'}
    </button>
    ${
      asked === null
        ? null
        : html`<${Confirm}
            title=${asked === 'delete' ? 'Delete the result?' : 'Cancel the job?'}
            verb=${asked === 'delete' ? 'Delete' : 'Cancel the job'}
            onConfirm=${() => void remove()}
            onClose=${() => setAsked(null)}
          >
            <p>
              ${
                asked === 'delete'
                  ? 'Its pages and files are gone after that; what it cost stays charged.'
                  : 'What it has done so far is kept and charged; nothing more is fetched.'
              }
            </p>
          <//>`
    }
  </div>`;
}

/** Saves what a path answers as a file: the header of the console cannot be sent by a link. */
async function download(path: string, name: string): Promise<void> {
  notify('The download is being made …');
  const response = await send('GET', path, { timeoutMs: Infinity });
  if (!(response instanceof Response)) return notify(response.message, 'bad');
  if (!response.ok) return notify(toApiFailure(response, jsonIn(await response.text())).message, 'bad');
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  doLater(KEPT_MS, () => URL.revokeObjectURL(url));
}
