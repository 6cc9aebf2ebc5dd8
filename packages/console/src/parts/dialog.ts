import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
};

/** A modal window: the focus stays in it, Escape and a click beside it close it, and the focus goes back after. */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return html`<dialog
    ref=${element}
    class=${isWide ? 'wide' : ''}
    aria-labelledby=${heading}
    onCancel=${(event: Event) => {
      event.preventDefault();
      onClose();
    }}
    onClick=${(event: MouseEvent) => (event.target === element.current ? onClose() : undefined)}
  >
    <div class="dialog-body">
      <header>
        <h2 id=${heading}>${title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick=${onClose}>×</button>
      </header>
      ${children}
    </div>
  </dialog>`;
}

type ConfirmProps = {
  readonly title: string;
  readonly verb: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** Asks before something that cannot be undone; the verb stands on its button. */
export function Confirm({ title, verb, onConfirm, onClose, children }: ConfirmProps): VNode {
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <div>${children}</div>
    <div class="actions">
      <button
        type="button"
        class="danger"
        onClick=${() => {
          onClose();
          onConfirm();
        }}
      >
        ${verb}
      </button>
      <button type="button" autofocus onClick=${onClose}>Keep it</button>
    </div>
  <//>`;
}
