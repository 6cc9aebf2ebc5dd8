import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { listAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { session } from '#console/app/session.ts';
import { SearchBox } from '#console/parts/controls.ts';
import { Empty, ResourceView } from '#console/parts/view-states.ts';
import { PlayHistory } from './call-history.ts';
import { type ListedOperation, operationGroupOf, searchOperations, toListedOperation } from './operations.ts';

/** Everything that can be asked, to be found by plain words. */
export function Playground({ query }: ViewProps): VNode {
  const operations = useResource('/docs/operations.json');
  const words = query['q'] ?? '';
  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>Playground</h1>
      <${PlayHistory} />
    </div>
    <div class="toolbar">
      <${SearchBox}
        label="Search all operations"
        value=${words}
        onInput=${(q: string) => replaceQuery(q === '' ? {} : { q })}
      />
    </div>
    <${ResourceView} of=${operations}>
      ${(body: unknown) => html`<${Found} operations=${listAt(body, 'data').map(toListedOperation)} words=${words} />`}
    <//>
  </div>`;
}

type FoundOperationsProps = { readonly operations: readonly ListedOperation[]; readonly words: string };

function Found({ operations, words }: FoundOperationsProps): VNode {
  const who = session.value;
  const isOperator = who !== null && who !== 'unknown' && who.isOperator;
  const open = operations.filter(({ isForOperators }) => isOperator || !isForOperators);
  const found = searchOperations(open, words);
  if (found.length === 0)
    return html`<${Empty} title="No operation is about these words.">
      Say what you look for, as in “hotel prices”, “subtitles of a video” or “monitor”.
    <//>`;
  if (words.trim() !== '') return html`<${OperationCards} operations=${found} label="Found operations" />`;
  const groups = Map.groupBy(found, operationGroupOf);
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

type OperationCardsProps = { readonly operations: readonly ListedOperation[]; readonly label: string };

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
