import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useId, useState } from 'preact/hooks';

/** One tab: its name in the URL, its title and its content. */
export type TabSpec = {
  readonly name: string;
  readonly title: ComponentChildren;
  readonly show: () => ComponentChildren;
};

type TabsProps = {
  readonly label: string;
  readonly tabs: readonly TabSpec[];
  /** The name of the open tab, if the view stores it, for example in its query. */
  readonly open?: string | undefined;
  readonly onOpen?: (name: string) => void;
};

/** Tab list with arrow-key navigation. */
export function Tabs({ label, tabs, open, onOpen }: TabsProps): VNode {
  const id = useId();
  const [own, setOwn] = useState<string | null>(null);
  const shown = tabs.find(({ name }) => name === (open ?? own)) ?? tabs[0];
  const choose = (name: string): void => {
    setOwn(name);
    onOpen?.(name);
  };
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || shown === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(shown) + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    choose(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  return html`<div class="tabs">
    <div role="tablist" aria-label=${label} onKeyDown=${move}>
      ${tabs.map(
        ({ name, title }) =>
          html`<button
            type="button"
            role="tab"
            key=${name}
            id=${`${id}-${name}`}
            aria-selected=${name === shown?.name ? 'true' : 'false'}
            aria-controls=${`${id}-panel`}
            tabIndex=${name === shown?.name ? 0 : -1}
            onClick=${() => choose(name)}
          >
            ${title}
          </button>`,
      )}
    </div>
    <div
      key=${shown?.name}
      role="tabpanel"
      id=${`${id}-panel`}
      aria-labelledby=${`${id}-${shown?.name ?? ''}`}
      tabIndex=${0}
    >
      ${shown?.show()}
    </div>
  </div>`;
}
