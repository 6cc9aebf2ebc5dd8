import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { isRecord, jsonIn, recordAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, type ViewProps } from '#console/app/router.ts';
import { toCommandLine, toCurl, toPythonClient, toSampleCall, toTypeScriptClient } from '#console/app/samples.ts';
import { readerNow, second } from '#console/app/service-clock.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { Empty, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { SchemaForm } from '#console/parts/form/schema-form.ts';
import { problemsOf } from '#console/parts/form/schema.ts';
import { Tabs, type TabSpec } from '#console/parts/tabs.ts';
import { toDuration } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { AnswerView } from './answer-view.ts';
import { PlayHistory, playLink } from './call-history.ts';
import { type PlayedOperation, toPlayedOperation } from './operations.ts';
import { type PlayedRun, useRunning } from './run-operation.ts';

const MAX_LINK_LENGTH = 16_000;
/** How many members that are left out are named. */
const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 100;

/** One operation to be tried: its form, the request as code, and what comes back. */
export function OperationView({ params, query }: ViewProps): VNode {
  const id = params['operation'] ?? '';
  const document = useResource(`/docs/${encodeURIComponent(id)}.json`);
  const given = query['input'] ?? '';
  return html`<div class="view">
    <div class="view-head">
      <div>
        <p class="crumbs"><a href=${linkTo('/playground')}>Playground</a></p>
        <h1 tabIndex=${-1}>${id}</h1>
      </div>
      <${PlayHistory} />
    </div>
    <${ResourceView} of=${document}>
      ${(body: unknown) => html`<${Trial} key=${given} operation=${toPlayedOperation(body)} given=${given} />`}
    <//>
  </div>`;
}

type TrialProps = { readonly operation: PlayedOperation; readonly given: string };

type OperationInput = Readonly<Record<string, unknown>>;

type StartInput = {
  readonly input: OperationInput;
  /** The names of what a link gives and the operation does not have: nobody would see it in the form. */
  readonly leftOut: readonly string[];
};

/** What a link gives, or the example; a link that holds no input begins with an empty form. */
function startInput({ example, input: schema }: PlayedOperation, given: string): StartInput {
  if (given === '') return { input: example, leftOut: [] };
  const read = jsonIn(given);
  const members = isRecord(read) ? Object.entries(read) : [];
  const known = new Set(Object.keys(recordAt(schema, 'properties')));
  return {
    input: Object.fromEntries(members.filter(([name]) => known.has(name))),
    leftOut: members.map(([name]) => name).filter((name) => !known.has(name)),
  };
}

function Trial({ operation, given }: TrialProps): VNode {
  const [start] = useState(() => startInput(operation, given));
  const [input, setInput] = useState<OperationInput>(start.input);
  const [wasSent, setSent] = useState(false);
  const running = useRunning(operation);
  const problems = useMemo(() => problemsOf(operation.input, input), [operation.input, input]);
  const answer = useRef<HTMLElement>(null);

  function run(asJob: boolean): void {
    setSent(true);
    if (problems.size > 0) {
      const [first = ''] = problems.keys();
      document.getElementById(`field-${first}`)?.focus();
      return;
    }
    running.start(input, asJob);
    answer.current?.scrollIntoView({ block: 'nearest' });
  }

  return html`<p class="about">
      ${operation.summary}${operation.isVerified ? '' : ' (not yet verified on a page that the site sent)'}
      <span class="faint">
        <code>${operation.method} ${operation.path}</code> · credits: ${operation.credits} · ${operation.plan} ·${' '}
        <a href=${`/docs/${operation.id}`}>documentation</a>
      </span>
    </p>
    ${
      start.leftOut.length === 0
        ? null
        : html`<div class="note note-warn" role="status">
            The link gives members that this operation does not have. They are left out:${' '}
            ${start.leftOut.slice(0, MAX_NAMED).map((name) => html`<code><${Foreign} text=${name} most=${MAX_NAME_LENGTH} /></code>${' '}`)}
          </div>`
    }
    <div class="split">
      <form
        noValidate
        onSubmit=${(event: Event) => {
          event.preventDefault();
          run(false);
        }}
        onKeyDown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(false);
        }}
      >
        <${SchemaForm}
          schema=${operation.input}
          value=${input}
          first=${Object.keys(operation.example)}
          problems=${wasSent ? problems : new Map()}
          onChange=${setInput}
        />
        <${RunButtons} operation=${operation} running=${running} input=${input} onJob=${() => run(true)} />
      </form>
      <div>
        <section class="panel" aria-label="Request"><${SamplesView} operation=${operation} input=${input} /></section>
        <section class="panel" aria-label="Answer" ref=${answer}>
          <p class="unseen" role="status">${toTold(running)}</p>
          <${Outcome} running=${running} operation=${operation} />
        </section>
      </div>
    </div>`;
}

/** What those who hear the page are told; a failure speaks for itself. */
function toTold({ isRunning, answer }: PlayedRun): string {
  if (isRunning) return 'Running.';
  return answer === null ? '' : `Answered with ${answer.status}.`;
}

type RunButtonsProps = {
  readonly operation: PlayedOperation;
  readonly running: PlayedRun;
  readonly input: OperationInput;
  readonly onJob: () => void;
};

function RunButtons({ operation, running, input, onJob }: RunButtonsProps): VNode {
  const share = async (): Promise<void> => {
    const link = location.origin + location.pathname + playLink(operation.id, input);
    if (link.length > MAX_LINK_LENGTH) return notify('This input is too long for a link.', 'warn');
    try {
      await navigator.clipboard.writeText(link);
      notify('A link with this input is on the clipboard. It holds no key.');
    } catch {
      location.hash = playLink(operation.id, input);
      notify('The address of this page now holds the input: copy it from there.', 'warn');
    }
    return undefined;
  };
  // Keys keep the two buttons apart: one that became a submit button while it is clicked would send the form again.
  return html`<div class="actions sticky">
    ${
      running.isRunning
        ? html`<button key="cancel" type="button" class="danger" onClick=${running.cancel}>Cancel</button>`
        : html`<button key="run" type="submit" class="primary" title="Ctrl Enter">Run</button>`
    }
    ${
      operation.isWork && !running.isRunning ? html`<button type="button" onClick=${onJob}>Run as a job</button>` : null
    }
    <button type="button" onClick=${share}>Share</button>
  </div>`;
}

type OutcomeProps = { readonly running: PlayedRun; readonly operation: PlayedOperation };

function Outcome({ running, operation }: OutcomeProps): VNode {
  const { isRunning, startedAt, answer, failure } = running;
  if (isRunning) return html`<p class="loading" aria-busy="true">${toWaiting(startedAt, second.value)}</p>`;
  if (failure !== null) return html`<${FailureNote} failure=${failure} />`;
  if (answer !== null) return html`<${AnswerView} answer=${answer} key=${startedAt} />`;
  return html`<${Empty} title="The answer appears here.">
    Fill the form in and press Run, or Ctrl and Enter.${' '}
    ${operation.isWork ? 'A failed call costs nothing.' : 'It is free.'}
  <//>`;
}

/** How long a call has run; the second that is passed keeps it drawn anew. */
function toWaiting(startedAt: number, _second: number): string {
  return `Running for ${toDuration(readerNow() - startedAt)} …`;
}

/** Where all of them find the key: it is never written into code. */
const KEY = 'QUERN_API_KEY=qk_…';

type SamplesViewProps = {
  readonly operation: PlayedOperation;
  readonly input: Readonly<Record<string, unknown>>;
};

/** The request that the form describes, as it is sent from elsewhere; it changes with each key. */
function SamplesView({ operation, input }: SamplesViewProps): VNode {
  const { clientName, command, yields } = operation;
  const ask = { input, clientName, command, yields, baseUrl: location.origin };
  const line = toCommandLine(ask);
  const tabs = [
    toTab('curl', toCurl(toSampleCall(operation, input, location.origin)), `export ${KEY}`),
    ...(line === null ? [] : [toTab('CLI', line, `export QUERN_URL=${location.origin} ${KEY}`)]),
    toTab('TypeScript', toTypeScriptClient(ask), `npm install quern-client; export ${KEY}`),
    toTab('Python', toPythonClient(ask), `pip install quern; export ${KEY}`),
  ];
  return html`<${Tabs} label="The same request" tabs=${tabs} />`;
}

/** A sample, and what a shell needs to be told before it runs. */
function toTab(title: string, text: string, before: string): TabSpec {
  return {
    name: title,
    title,
    show: () =>
      html`<${CodeBlock} text=${text} label=${`the request as ${title}`} isWrapped=${true} />
        <p class="help">First run: <code>${before}</code></p>`,
  };
}
