import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '#console/app/api.ts';
import { isTrueAt, numberAt, recordAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { Confirm } from '#console/parts/dialog.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { Tabs } from '#console/parts/tabs.ts';
import { toCount, When } from '#console/parts/time.ts';
import { notify } from '#console/parts/toast.ts';
import { ChangeTimeline } from './change-timeline.ts';
import { MonitorCharts } from './monitor-charts.ts';
import { MonitorEdit } from './monitor-edit.ts';
import { MonitorBadge } from './monitors.ts';
import { MonitorRuns } from './monitor-runs.ts';
import { targetOfMonitor } from './monitor-words.ts';

const OFTEN_MS = 5000;

/** One monitor: its values over time, its changes and runs, and what can be done about it. */
export function MonitorDetail({ params, query }: ViewProps): VNode {
  const path = `/v1/monitors/${encodeURIComponent(params['id'] ?? '')}`;
  const monitor = useResource(path, { everyMs: OFTEN_MS });
  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>
        <${Foreign}
          text=${textAt(monitor.body, 'name') || targetOfMonitor(monitor.body ?? {}) || 'Monitor'}
          most=${200}
        />
      </h1>
      ${
        monitor.body === undefined
          ? null
          : html`<${MonitorActions} path=${path} monitor=${monitor.body} onChanged=${monitor.reload} />`
      }
    </div>
    <${ResourceView} of=${monitor}>
      ${(body: unknown) => html`<${MonitorBody} path=${path} monitor=${body} query=${query} />`}
    <//>
  </div>`;
}

type MonitorBodyProps = {
  readonly path: string;
  readonly monitor: unknown;
  readonly query: Readonly<Record<string, string>>;
};

function MonitorBody({ path, monitor, query }: MonitorBodyProps): VNode {
  const cron = textAt(monitor, 'cron');
  const seen = textAt(monitor, 'last_run_at');
  return html`<dl class="facts-list">
      <div>
        <dt>State</dt>
        <dd><${MonitorBadge} monitor=${monitor} /></dd>
      </div>
      <div>
        <dt>Watches</dt>
        <dd><${Foreign} text=${targetOfMonitor(monitor)} most=${500} /></dd>
      </div>
      <div>
        <dt>When</dt>
        <dd>
          ${cron === '' ? 'when it is triggered' : html`<code>${cron}</code> ${textAt(monitor, 'timezone')}`}${' '}
          ${cron === '' ? null : html`· next <${When} at=${textAt(monitor, 'next_run_at')} />`}
        </dd>
      </div>
      <div>
        <dt>Last run</dt>
        <dd>
          <${When} at=${seen} />${
            (numberAt(monitor, 'consecutive_failures') ?? 0) > 0
              ? ` · ${numberAt(monitor, 'consecutive_failures')} failed in a row`
              : ''
          }
        </dd>
      </div>
      <div>
        <dt>Costs</dt>
        <dd>about ${toCount(numberAt(monitor, 'estimated_credits_per_month') ?? 0)} credits a month</dd>
      </div>
    </dl>
    <${MonitorCharts} path=${path} monitor=${monitor} lastRun=${seen} />
    <${Tabs}
      label="Of this monitor"
      open=${query['tab']}
      onOpen=${(tab: string) => replaceQuery({ ...query, tab })}
      tabs=${[
        {
          name: 'changes',
          title: 'Changes',
          show: () => html`<${ChangeTimeline} path=${path} lastChange=${textAt(monitor, 'last_change_at')} />`,
        },
        { name: 'runs', title: 'Runs', show: () => html`<${MonitorRuns} path=${path} lastRun=${seen} />` },
        {
          name: 'definition',
          title: 'Definition',
          show: () => html`<${JsonTree} label="Definition" value=${monitor} />`,
        },
      ]}
    />
    ${
      hasWebhook(monitor)
        ? html`<p>
            <a href=${linkTo('/webhooks', { monitor_id: textAt(monitor, 'id') })}>Deliveries of its webhook</a>
          </p>`
        : null
    }`;
}

function hasWebhook(monitor: unknown): boolean {
  return Object.keys(recordAt(monitor, 'webhook')).length > 0;
}

type MonitorActionsProps = { readonly path: string; readonly monitor: unknown; readonly onChanged: () => void };

function MonitorActions({ path, monitor, onChanged }: MonitorActionsProps): VNode {
  const [asked, setAsked] = useState<'delete' | 'edit' | null>(null);
  const isActive = isTrueAt(monitor, 'active');
  async function act(method: string, target: string, body: unknown, done: string): Promise<boolean> {
    const answer = await call(method, target, { body });
    notify(answer.ok ? done : answer.failure.message, answer.ok ? 'good' : 'bad');
    if (answer.ok) onChanged();
    return answer.ok;
  }
  return html`<div class="actions">
    <button type="button" onClick=${() => void act('POST', `${path}/trigger`, undefined, 'Check started.')}>
      Check now
    </button>
    <button
      type="button"
      onClick=${() => void act('PATCH', path, { active: !isActive }, isActive ? 'Paused.' : 'Resumed.')}
    >
      ${isActive ? 'Pause' : 'Resume'}
    </button>
    ${
      hasWebhook(monitor)
        ? html`<button
            type="button"
            onClick=${() => void act('POST', `${path}/webhook/test`, undefined, 'A test event is on its way.')}
          >
            Test webhook
          </button>`
        : null
    }
    <button type="button" onClick=${() => setAsked('edit')}>Change</button>
    <button type="button" class="danger" onClick=${() => setAsked('delete')}>Delete</button>
    ${
      asked === 'edit'
        ? html`<${MonitorEdit}
            path=${path}
            monitor=${monitor}
            onClose=${() => setAsked(null)}
            onChanged=${onChanged}
          />`
        : null
    }
    ${
      asked === 'delete'
        ? html`<${Confirm}
            title="Delete the monitor?"
            verb="Delete"
            onConfirm=${async () => {
              if (await act('DELETE', path, undefined, 'Deleted.')) goTo('/monitors');
            }}
            onClose=${() => setAsked(null)}
          >
            <p>Its runs and changes go with it. To stop it for a while, pause it.</p>
          <//>`
        : null
    }
  </div>`;
}
