import type { Artifact } from '#access/page.ts';

/** The ARIA roles (WAI-ARIA 1.2) that a target may be found by. */
export const ROLES = [
  'alert',
  'alertdialog',
  'application',
  'article',
  'banner',
  'blockquote',
  'button',
  'caption',
  'cell',
  'checkbox',
  'code',
  'columnheader',
  'combobox',
  'complementary',
  'contentinfo',
  'definition',
  'deletion',
  'dialog',
  'directory',
  'document',
  'emphasis',
  'feed',
  'figure',
  'form',
  'generic',
  'grid',
  'gridcell',
  'group',
  'heading',
  'img',
  'insertion',
  'link',
  'list',
  'listbox',
  'listitem',
  'log',
  'main',
  'marquee',
  'math',
  'menu',
  'menubar',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'meter',
  'navigation',
  'none',
  'note',
  'option',
  'paragraph',
  'presentation',
  'progressbar',
  'radio',
  'radiogroup',
  'region',
  'row',
  'rowgroup',
  'rowheader',
  'scrollbar',
  'search',
  'searchbox',
  'separator',
  'slider',
  'spinbutton',
  'status',
  'strong',
  'subscript',
  'superscript',
  'switch',
  'tab',
  'table',
  'tablist',
  'tabpanel',
  'term',
  'textbox',
  'time',
  'timer',
  'toolbar',
  'tooltip',
  'tree',
  'treegrid',
  'treeitem',
] as const;

/** The mark of an element: one of these members; `element` is its number in the last snapshot. */
type Mark =
  | { readonly css: string }
  | { readonly xpath: string }
  | { readonly text: string }
  | { readonly role: (typeof ROLES)[number]; readonly name?: string | undefined }
  | { readonly label: string }
  | { readonly placeholder: string }
  | { readonly test_id: string }
  | { readonly element: number };

/** One element of a page: `nth` picks of several, from 0; `frame` is the CSS selector of the frame that it is in. */
export type Target = Mark & { readonly nth?: number | undefined; readonly frame?: string | undefined };

/** The end of a wait: times in ms. */
export type Wait =
  | { readonly for: Target | 'load' | 'idle' }
  | { readonly url: string }
  | { readonly text: string }
  | { readonly ms: number };

/** An action of a session; names and units are those of the API. */
export type PageAction =
  | { readonly type: 'goto'; readonly url: string }
  | { readonly type: 'click'; readonly target: Target; readonly count: number }
  | { readonly type: 'type'; readonly target: Target; readonly text: string; readonly clear: boolean }
  | { readonly type: 'press'; readonly key: string; readonly target?: Target | undefined }
  | {
      readonly type: 'select';
      readonly target: Target;
      readonly value?: string | undefined;
      readonly label?: string | undefined;
      readonly index?: number | undefined;
    }
  | { readonly type: 'check' | 'uncheck' | 'hover'; readonly target: Target }
  | { readonly type: 'drag'; readonly from: Target; readonly to: Target }
  | {
      readonly type: 'upload';
      readonly target: Target;
      readonly name: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  | {
      readonly type: 'scroll';
      readonly to: 'end' | 'top' | Target;
      /** What is scrolled to its end or top; the page unless given. */
      readonly within?: Target | undefined;
      readonly times: number;
    }
  | ({ readonly type: 'wait' } & Wait)
  | { readonly type: 'screenshot'; readonly target?: Target | undefined; readonly full_page: boolean }
  | { readonly type: 'pdf' }
  | { readonly type: 'evaluate'; readonly script: string }
  | { readonly type: 'back' | 'reload' }
  | { readonly type: 'dialog'; readonly accept: boolean; readonly text?: string | undefined }
  | { readonly type: 'switch'; readonly tab: number | 'last' }
  | { readonly type: 'switch'; readonly frame: Target | 'main' };

/** The result of an action: a file, the value of a script, or nothing. */
export type Brought =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'file'; readonly file: Artifact };

/** An action that the page did not let happen; its message is for the caller and repeats nothing that was typed. */
export class ActionFailed extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ActionFailed';
  }
}
