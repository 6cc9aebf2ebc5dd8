import { ServiceError } from '#kernel/errors.ts';
import { ActionFailed } from './actions.ts';

/** Phrases of the driver's log about an element that it waited for, with our messages. */
const OBSTACLES: readonly (readonly [RegExp, string])[] = [
  [/intercepts pointer events/, 'the element is covered by another'],
  [/element is not enabled/, 'the element is disabled'],
  [/element is not visible/, 'the element is not visible'],
  [/element is not stable/, 'the element does not stand still'],
  [/element is outside of the viewport/, 'the element cannot be scrolled into view'],
  [/element is not editable|is readonly/, 'the element cannot be edited'],
  [/did not find some options/, 'the element has no such option'],
];

/** Its phrases about an element of the wrong kind, or an impossible action, with our messages. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [
    /not an <input>, <textarea>|Element is not an <input>|cannot be filled|Cannot type text/i,
    'the element takes no text',
  ],
  [/Element is not a <select>/, 'the element is no list of options'],
  [/Not a checkbox or radio button/, 'the element is no checkbox'],
  [/Clicking the checkbox did not change its state/, 'the checkbox did not change'],
  [/Node is not an HTMLInputElement|Not an input\[type=file\]|Element is not.*file/i, 'the element takes no file'],
  [/Non-multiple file input/, 'the element takes one file'],
  [/Unknown key/, 'there is no such key'],
  [
    /is not a valid selector|Unexpected token|Failed to execute '(?:querySelectorAll|evaluate)'/,
    'the target is not a selector that a browser knows',
  ],
];

/** The page after an action that took too long: how many elements its target matches, null for none of interest. */
export type PageAfter =
  | { readonly kind: 'answers'; readonly matches: number | null }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'silent' };

/**
 * The error of a failed action for the caller. The driver's own message may repeat typed text, and is not passed on; a
 * target that matches nothing or several elements is reported as such. Errors of ours pass unchanged.
 */
export async function toActionFailure(thrown: unknown, lookAgain: () => Promise<PageAfter>): Promise<unknown> {
  if (thrown instanceof ActionFailed || thrown instanceof ServiceError || !(thrown instanceof Error)) return thrown;
  const { message } = thrown;
  const many = /resolved to (\d+) elements/.exec(message)?.[1];
  if (many !== undefined) return failedBy(thrown, `the target matches ${many} elements: name one of them with nth`);
  const mistake = MISTAKES.find(([pattern]) => pattern.test(message));
  if (mistake !== undefined) return failedBy(thrown, mistake[1]);
  if (!/Timeout|timed out/i.test(message)) return failedBy(thrown, byNet(message) ?? 'the page did not let it happen');
  const after = await lookAgain();
  if (after.kind === 'stalled') return failedBy(thrown, 'the address that it leads to did not answer in time');
  if (after.kind === 'silent') return failedBy(thrown, 'the page did not answer in time');
  if (after.matches === null) return failedBy(thrown, 'it took too long');
  if (after.matches === 0) return failedBy(thrown, 'the target matches nothing');
  const obstacle = OBSTACLES.findLast(([pattern]) => pattern.test(message));
  return failedBy(thrown, obstacle?.[1] ?? 'the element could not be used in time');
}

function failedBy(cause: Error, message: string): ActionFailed {
  return new ActionFailed(message, { cause });
}

function byNet(message: string): string | null {
  const code = /net::ERR_([A-Z_]+)/.exec(message)?.[1];
  if (code !== undefined) return `the address could not be reached (${code.toLowerCase()})`;
  return /Target (?:page|crashed)|has been closed|Target closed/i.test(message) ? 'the page is closed' : null;
}
