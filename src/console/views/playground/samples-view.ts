import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { toCommandLine, toCurl, toPythonClient, toSampleCall, toTypeScriptClient } from '#console/app/samples.ts';
import { CodeBlock } from '#console/parts/copy.ts';
import { Tabs } from '#console/parts/tabs.ts';
import type { TabSpec } from '#console/parts/tabs.ts';
import type { PlayedOperation } from './operations.ts';

type SamplesViewProps = {
  readonly operation: PlayedOperation;
  readonly input: Readonly<Record<string, unknown>>;
};

/** The request that the form describes, as it is sent from elsewhere; it changes with each key. */
export function SamplesView({ operation, input }: SamplesViewProps): VNode {
  const { clientName, command } = operation;
  const ask = { input, clientName, command, baseUrl: location.origin };
  const line = toCommandLine(ask);
  const tabs = [
    toTab('curl', 'curl', toCurl(toSampleCall(operation, input, location.origin))),
    ...(line === null ? [] : [toTab('cli', 'CLI', line)]),
    toTab('typescript', 'TypeScript', toTypeScriptClient(ask)),
    toTab('python', 'Python', toPythonClient(ask)),
  ];
  return html`<${Tabs} label="The same request" tabs=${tabs} />`;
}

function toTab(name: string, title: string, text: string): TabSpec {
  return {
    name,
    title,
    show: () => html`<${CodeBlock} text=${text} label=${`the request as ${title}`} isWrapped=${true} />`,
  };
}
