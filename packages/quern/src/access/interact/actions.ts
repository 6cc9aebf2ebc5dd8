import type { Artifact } from '#access/page.ts';
import { ServiceError } from '#kernel/errors.ts';

/** The ARIA roles (WAI-ARIA 1.2) that a target may be found by. */
export const ARIA_ROLES = [
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

/** How an element is found: by one of these; `element` is its number in the last snapshot. */
type ElementSelector =
  | { readonly css: string }
  | { readonly xpath: string }
  | { readonly text: string }
  | { readonly role: (typeof ARIA_ROLES)[number]; readonly name?: string | undefined }
  | { readonly label: string }
  | { readonly placeholder: string }
  | { readonly test_id: string }
  | { readonly element: number };

/** One element of a page: `nth` chooses among several, from 0; `frame` is the CSS selector of its frame. */
export type Target = ElementSelector & { readonly nth?: number | undefined; readonly frame?: string | undefined };

/** The condition that ends a wait; times in ms. */
export type WaitCondition =
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
      /** The element to scroll to its end or top; default: the page. */
      readonly within?: Target | undefined;
      readonly times: number;
    }
  | ({ readonly type: 'wait' } & WaitCondition)
  | { readonly type: 'screenshot'; readonly target?: Target | undefined; readonly full_page: boolean }
  | { readonly type: 'pdf' }
  | { readonly type: 'evaluate'; readonly script: string }
  | { readonly type: 'back' | 'reload' }
  | { readonly type: 'dialog'; readonly accept: boolean; readonly text?: string | undefined }
  | { readonly type: 'switch'; readonly tab: number | 'last' }
  | { readonly type: 'switch'; readonly frame: Target | 'main' };

/** The result of an action: a file, the value of a script, or nothing. */
export type ActionResult =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'file'; readonly file: Artifact };

/** An action failed; the message is for the caller and does not repeat typed text. */
export class ActionFailed extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ActionFailed';
  }
}

/** Our messages for phrases in the driver's log about an element that it waited for. */
const OBSTACLE_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/intercepts pointer events/, 'the element is covered by another'],
  [/element is not enabled/, 'the element is disabled'],
  [/element is not visible/, 'the element is not visible'],
  [/element is not stable/, 'the element keeps moving'],
  [/element is outside of the viewport/, 'the element cannot be scrolled into view'],
  [/element is not editable|is readonly/, 'the element cannot be edited'],
  [/did not find some options/, 'the element has no such option'],
];

/** Our messages for the driver's phrases about elements of the wrong kind and impossible actions. */
const MISTAKE_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    /not an <input>, <textarea>|Element is not an <input>|cannot be filled|Cannot type text/i,
    'the element does not accept text',
  ],
  [/Element is not a <select>/, 'the element is not a select list'],
  [/Not a checkbox or radio button/, 'the element is not a checkbox or radio button'],
  [/Clicking the checkbox did not change its state/, 'the checkbox did not change'],
  [
    /Node is not an HTMLInputElement|Not an input\[type=file\]|Element is not.*file/i,
    'the element is not a file input',
  ],
  [/Non-multiple file input/, 'the element accepts only one file'],
  [/Unknown key/, 'unknown key'],
  [
    /is not a valid selector|Unexpected token|Failed to execute '(?:querySelectorAll|evaluate)'/,
    'the target is not a valid CSS selector',
  ],
];

/** The state of a page after an action that took too long; `matches`: elements that its target matches, null if unknown. */
export type PageStatus =
  | { readonly kind: 'answers'; readonly matches: number | null }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'silent' };

/**
 * Converts the error of a failed action to one for the caller. The message of the driver may repeat typed text, so it is not
 * passed on. Reports targets that match nothing or several elements. Our own errors are returned unchanged.
 */
export async function toActionFailure(thrown: unknown, lookAgain: () => Promise<PageStatus>): Promise<unknown> {
  if (thrown instanceof ActionFailed || thrown instanceof ServiceError || !(thrown instanceof Error)) return thrown;
  const { message } = thrown;
  const many = /resolved to (\d+) elements/.exec(message)?.[1];
  if (many !== undefined) return buildActionFailed(thrown, `the target matches ${many} elements: choose one with nth`);
  const mistake = MISTAKE_MESSAGES.find(([pattern]) => pattern.test(message));
  if (mistake !== undefined) return buildActionFailed(thrown, mistake[1]);
  if (!/Timeout|timed out/i.test(message))
    return buildActionFailed(thrown, findNetworkMessage(message) ?? 'the browser rejected the action');
  const after = await lookAgain();
  if (after.kind === 'stalled') return buildActionFailed(thrown, 'the target of the navigation did not answer in time');
  if (after.kind === 'silent') return buildActionFailed(thrown, 'the page did not answer in time');
  if (after.matches === null) return buildActionFailed(thrown, 'it took too long');
  if (after.matches === 0) return buildActionFailed(thrown, 'the target matches nothing');
  const obstacle = OBSTACLE_MESSAGES.findLast(([pattern]) => pattern.test(message));
  return buildActionFailed(thrown, obstacle?.[1] ?? 'the element could not be used in time');
}

function buildActionFailed(cause: Error, message: string): ActionFailed {
  return new ActionFailed(message, { cause });
}

function findNetworkMessage(message: string): string | null {
  const code = /net::ERR_([A-Z_]+)/.exec(message)?.[1];
  if (code !== undefined) return `the address could not be reached (${code.toLowerCase()})`;
  return /Target (?:page|crashed)|has been closed|Target closed/i.test(message) ? 'the page is closed' : null;
}
