import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { getList } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { session } from '#console/app/session.ts';
import { SearchBox } from '#console/parts/controls.ts';
import { EmptyState, ResourceView } from '#console/parts/view-states.ts';
import { CallHistory } from './call-history.ts';
import { type OperationSummary, getOperationGroup, searchOperations, parseOperationSummary } from './operations.ts';

/** All operations, with a search. */
export function Playground({ query }: ViewProps): VNode {
  const operations = useResource('/docs/operations.json');
  const words = query['q'] ?? '';
  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>Playground</h1>
      <${CallHistory} />
    </div>
    <div class="toolbar">
      <${SearchBox}
        label="Search all operations"
        value=${words}
        onInput=${(q: string) => replaceQuery(q === '' ? {} : { q })}
      />
    </div>
    <${ResourceView} resource=${operations}>
      ${(body: unknown) => html`<${OperationResults} operations=${getList(body, 'data').map(parseOperationSummary)} words=${words} />`}
    <//>
  </div>`;
}

type OperationResultsProps = { readonly operations: readonly OperationSummary[]; readonly words: string };

function OperationResults({ operations, words }: OperationResultsProps): VNode {
  const who = session.value;
  const isOperator = who !== null && who !== 'unknown' && who.isOperator;
  const open = operations.filter(({ isForOperators }) => isOperator || !isForOperators);
  const found = searchOperations(open, words);
  if (found.length === 0)
    return html`<${EmptyState} title="No operation matches.">
      Describe what you are looking for, such as “hotel prices”, “subtitles of a video” or “monitor”.
    <//>`;
  if (words.trim() !== '') return html`<${OperationCards} operations=${found} label="Found operations" />`;
  const groups = Map.groupBy(found, getOperationGroup);
  return html`<div class="groups">
    ${[...groups].map(
      ([name, members], at) =>
        html`<section key=${name} aria-labelledby=${`group-${at}`}>
          <h2 id=${`group-${at}`}>${name}</h2>
          <${OperationCards} operations=${members} label=${name} />
        </section>`,
    )}
  </div>`;
}

type OperationCardsProps = { readonly operations: readonly OperationSummary[]; readonly label: string };

function OperationCards({ operations, label }: OperationCardsProps): VNode {
  return html`<ul class="cards" aria-label=${label}>
    ${operations.map(
      ({ id, summary, isVerified }) =>
        html`<li key=${id}>
          <a href=${linkTo(`/playground/${id}`)}>
            <strong>${id}</strong>
            <span class="faint">${summary}${isVerified ? '' : ' (unverified)'}</span>
          </a>
        </li>`,
    )}
  </ul>`;
}
