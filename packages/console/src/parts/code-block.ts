import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { notify } from './toast.ts';

type CopyButtonProps = { readonly text: string; readonly what: string };

/** A button that copies a text to the clipboard. */
export function CopyButton({ text, what }: CopyButtonProps): VNode {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      notify(`${what} copied.`);
    } catch {
      notify('The browser did not allow copying: select the text and copy it yourself.', 'warn');
    }
  };
  return html`<button type="button" class="small" aria-label=${`Copy ${what}`} onClick=${copy}>Copy</button>`;
}

type CodeBlockProps = { readonly text: string; readonly label: string; readonly isWrapped?: boolean };

/** Preformatted text with a copy button, in a frame that a keyboard can scroll. */
export function CodeBlock({ text, label, isWrapped = false }: CodeBlockProps): VNode {
  return html`<div class="code">
    <pre class=${isWrapped ? 'wrapped' : ''} role="region" aria-label=${label} tabIndex=${0}><code>${text}</code></pre>
    <${CopyButton} text=${text} what=${label} />
  </div>`;
}
