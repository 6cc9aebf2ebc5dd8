import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { isRecord, parseJson, getRecord } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, type ViewProps } from '#console/app/router.ts';
import { toCommandLine, toCurl, toPythonClient, buildSampleRequest, toTypeScriptClient } from '#console/app/samples.ts';
import { getLocalTime, second } from '#console/app/service-clock.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { EmptyState, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { SchemaForm } from '#console/parts/form/schema-form.ts';
import { findProblems } from '#console/parts/form/schema.ts';
import { Tabs, type TabSpec } from '#console/parts/tabs.ts';
import { formatDuration } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { AnswerView } from './answer-view.ts';
import { CallHistory, linkToOperation } from './call-history.ts';
import { type OperationDetails, parseOperation } from './operations.ts';
import { type OperationRun, useOperationRun } from './run-operation.ts';

const MAX_LINK_LENGTH = 16_000;
/** How many ignored parameters of a link are listed. */
const MAX_LISTED_NAMES = 10;
const MAX_NAME_LENGTH = 100;

/** One operation: a form for its input, the request as code, and the response. */
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
      <${CallHistory} />
    </div>
    <${ResourceView} resource=${document}>
      ${(body: unknown) => html`<${OperationForm} key=${given} operation=${parseOperation(body)} given=${given} />`}
    <//>
  </div>`;
}

type OperationFormProps = { readonly operation: OperationDetails; readonly given: string };

type OperationInput = Readonly<Record<string, unknown>>;

type StartInput = {
  readonly input: OperationInput;
  /** Parameters of the link that the operation does not have; the form cannot show them. */
  readonly leftOut: readonly string[];
};

/** Reads the input of a link; the example if the link has none, an empty input if it is invalid. */
function readStartInput({ example, input: schema }: OperationDetails, given: string): StartInput {
  if (given === '') return { input: example, leftOut: [] };
  const read = parseJson(given);
  const members = isRecord(read) ? Object.entries(read) : [];
  const known = new Set(Object.keys(getRecord(schema, 'properties')));
  return {
    input: Object.fromEntries(members.filter(([name]) => known.has(name))),
    leftOut: members.map(([name]) => name).filter((name) => !known.has(name)),
  };
}

function OperationForm({ operation, given }: OperationFormProps): VNode {
  const [start] = useState(() => readStartInput(operation, given));
  const [input, setInput] = useState<OperationInput>(start.input);
  const [wasSent, setSent] = useState(false);
  const operationRun = useOperationRun(operation);
  const problems = useMemo(() => findProblems(operation.input, input), [operation.input, input]);
  const answer = useRef<HTMLElement>(null);

  function run(asJob: boolean): void {
    setSent(true);
    if (problems.size > 0) {
      const [first = ''] = problems.keys();
      document.getElementById(`field-${first}`)?.focus();
      return;
    }
    operationRun.start(input, asJob);
    answer.current?.scrollIntoView({ block: 'nearest' });
  }

  return html`<p class="about">
      ${operation.summary}${operation.isVerified ? '' : ' (not yet verified on a page of the site)'}
      <span class="faint">
        <code>${operation.method} ${operation.path}</code> · credits: ${operation.credits} · ${operation.plan} ·${' '}
        <a href=${`/docs/${operation.id}`}>documentation</a>
      </span>
    </p>
    ${
      start.leftOut.length === 0
        ? null
        : html`<div class="note note-warn" role="status">
            The link has parameters that this operation does not have. They are ignored:${' '}
            ${start.leftOut.slice(0, MAX_LISTED_NAMES).map((name) => html`<code><${UntrustedText} text=${name} maxLength=${MAX_NAME_LENGTH} /></code>${' '}`)}
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
        <${RunButtons} operation=${operation} operationRun=${operationRun} input=${input} onJob=${() => run(true)} />
      </form>
      <div>
        <section class="panel" aria-label="Request"><${SamplesView} operation=${operation} input=${input} /></section>
        <section class="panel" aria-label="Answer" ref=${answer}>
          <p class="unseen" role="status">${describeRun(operationRun)}</p>
          <${Outcome} operationRun=${operationRun} operation=${operation} />
        </section>
      </div>
    </div>`;
}

/** Describes the run for screen readers; a failure is announced by its own alert. */
function describeRun({ isRunning, answer }: OperationRun): string {
  if (isRunning) return 'Running.';
  return answer === null ? '' : `Response with status ${answer.status}.`;
}

type RunButtonsProps = {
  readonly operation: OperationDetails;
  readonly operationRun: OperationRun;
  readonly input: OperationInput;
  readonly onJob: () => void;
};

function RunButtons({ operation, operationRun, input, onJob }: RunButtonsProps): VNode {
  const share = async (): Promise<void> => {
    const link = location.origin + location.pathname + linkToOperation(operation.id, input);
    if (link.length > MAX_LINK_LENGTH) return notify('This input is too long for a link.', 'warn');
    try {
      await navigator.clipboard.writeText(link);
      notify('Copied a link with this input. It does not contain your key.');
    } catch {
      location.hash = linkToOperation(operation.id, input);
      notify('The URL of this page now contains the input: copy it from the address bar.', 'warn');
    }
    return undefined;
  };
  // Different keys make two elements: a button that became a submit button while it is clicked would send the form again.
  return html`<div class="actions sticky">
    ${
      operationRun.isRunning
        ? html`<button key="cancel" type="button" class="danger" onClick=${operationRun.cancel}>Cancel</button>`
        : html`<button key="run" type="submit" class="primary" title="Ctrl Enter">Run</button>`
    }
    ${
      operation.isWork && !operationRun.isRunning
        ? html`<button type="button" onClick=${onJob}>Run as a job</button>`
        : null
    }
    <button type="button" onClick=${share}>Share</button>
  </div>`;
}

type OutcomeProps = { readonly operationRun: OperationRun; readonly operation: OperationDetails };

function Outcome({ operationRun, operation }: OutcomeProps): VNode {
  const { isRunning, startedAt, answer, failure } = operationRun;
  if (isRunning) return html`<p class="loading" aria-busy="true">${formatWaiting(startedAt, second.value)}</p>`;
  if (failure !== null) return html`<${FailureNote} failure=${failure} />`;
  if (answer !== null) return html`<${AnswerView} answer=${answer} key=${startedAt} />`;
  return html`<${EmptyState} title="The response appears here.">
    Fill the form in and press Run, or Ctrl and Enter.${' '}
    ${operation.isWork ? 'A failed call costs nothing.' : 'This call is free.'}
  <//>`;
}

/** Formats how long a call has been running. `_second` is passed so that the caller renders every second. */
function formatWaiting(startedAt: number, _second: number): string {
  return `Running for ${formatDuration(getLocalTime() - startedAt)} …`;
}

/** All samples read the key from this variable; it never appears in code. */
const KEY_ASSIGNMENT = 'QUERN_API_KEY=qk_…';

type SamplesViewProps = {
  readonly operation: OperationDetails;
  readonly input: Readonly<Record<string, unknown>>;
};

/** The request of the form as samples for curl, the command line and the clients. */
function SamplesView({ operation, input }: SamplesViewProps): VNode {
  const { clientName, command, yields } = operation;
  const ask = { input, clientName, command, yields, baseUrl: location.origin };
  const line = toCommandLine(ask);
  const tabs = [
    buildSampleTab('curl', toCurl(buildSampleRequest(operation, input, location.origin)), `export ${KEY_ASSIGNMENT}`),
    ...(line === null ? [] : [buildSampleTab('CLI', line, `export QUERN_URL=${location.origin} ${KEY_ASSIGNMENT}`)]),
    buildSampleTab('TypeScript', toTypeScriptClient(ask), `npm install quern-client; export ${KEY_ASSIGNMENT}`),
    buildSampleTab('Python', toPythonClient(ask), `pip install quern; export ${KEY_ASSIGNMENT}`),
  ];
  return html`<${Tabs} label="The same request" tabs=${tabs} />`;
}

/** Builds the tab of a sample; `before` is the shell command to run first. */
function buildSampleTab(title: string, text: string, before: string): TabSpec {
  return {
    name: title,
    title,
    show: () =>
      html`<${CodeBlock} text=${text} label=${`the request as ${title}`} isWrapped=${true} />
        <p class="help">First run: <code>${before}</code></p>`,
  };
}
