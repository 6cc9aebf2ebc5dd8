import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { Dialog } from '#console/parts/dialog.ts';

type HelpProps = {
  readonly routes: readonly { readonly key?: string; readonly menu?: string; readonly title: string }[];
  readonly onClose: () => void;
};

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'Search in this view'],
  ['j  k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['n', 'New, in views that can create something'],
  ['Ctrl Enter', 'Send the form'],
  ['Esc', 'Close'],
  ['?', 'This help'],
];

/** The keyboard shortcuts, and where to read more. */
export function HelpDialog({ routes, onClose }: HelpProps): VNode {
  const goes = routes.flatMap(({ key, menu, title }) =>
    key === undefined ? [] : [[`g ${key}`, menu ?? title] as const],
  );
  return html`<${Dialog} title="Help" onClose=${onClose}>
    <div class="columns">
      <div>
        <h3>Keys</h3>
        <${Keys} keys=${KEYS} />
      </div>
      <div>
        <h3>Go to</h3>
        <${Keys} keys=${goes} />
      </div>
    </div>
    <p>
      The console uses the same API as programs: the <a href="/docs">documentation</a> describes each operation, and the
      playground shows each request as a command and as code.
    </p>
  <//>`;
}

function Keys({ keys }: { readonly keys: readonly (readonly [string, string])[] }): VNode {
  return html`<dl class="keys">
    ${keys.map(
      ([key, about]) =>
        html`<div>
          <dt>
            ${key
              .split(' ')
              .filter(Boolean)
              .map((one) => html`<kbd>${one}</kbd>${' '}`)}
          </dt>
          <dd>${about}</dd>
        </div>`,
    )}
  </dl>`;
}
