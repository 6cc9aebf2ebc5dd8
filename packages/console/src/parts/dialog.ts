import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
};

/** A modal dialog that keeps the focus. Escape or a click outside closes it, and the focus returns. */
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

type ConfirmDialogProps = {
  readonly title: string;
  readonly verb: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** Asks for confirmation of an action; `verb` is the label of the button that confirms. */
export function ConfirmDialog({ title, verb, onConfirm, onClose, children }: ConfirmDialogProps): VNode {
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
      <button type="button" autofocus onClick=${onClose}>Go back</button>
    </div>
  <//>`;
}
