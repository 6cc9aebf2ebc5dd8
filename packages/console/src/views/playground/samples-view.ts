import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { toCommandLine, toCurl, toPythonClient, toSampleCall, toTypeScriptClient } from '#console/app/samples.ts';
import { CodeBlock } from '#console/parts/copy.ts';
import { Tabs, type TabSpec } from '#console/parts/tabs.ts';
import type { PlayedOperation } from './operations.ts';

/** Where all of them find the key: it is never written into code. */
const KEY = 'QUERN_API_KEY=qk_…';

type SamplesViewProps = {
  readonly operation: PlayedOperation;
  readonly input: Readonly<Record<string, unknown>>;
};

/** The request that the form describes, as it is sent from elsewhere; it changes with each key. */
export function SamplesView({ operation, input }: SamplesViewProps): VNode {
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
