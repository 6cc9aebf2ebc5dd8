import type { Frame, Locator, Page } from 'patchright-core';
import type { Target } from './actions.ts';
import { NUMBERED } from './snapshot.ts';
import { ActionFailed } from './actions.ts';

/** Where targets are looked for, and the elements that the last snapshot numbered. */
export type TargetScope = { readonly root: Page | Frame; readonly numbered: ReadonlyMap<number, Frame> };

/** The one element that a target means; nothing is looked up before it is used. */
export function locate({ root, numbered }: TargetScope, target: Target): Locator {
  const within = target.frame === undefined ? root : root.frameLocator(`css=${target.frame}`);
  const found = find(within, numbered, target);
  return target.nth === undefined ? found : found.nth(target.nth);
}

type Within = Pick<Frame, 'locator' | 'getByText' | 'getByRole' | 'getByLabel' | 'getByPlaceholder' | 'getByTestId'>;

function find(within: Within, numbered: TargetScope['numbered'], target: Target): Locator {
  if ('css' in target) return within.locator(`css=${target.css}`);
  if ('xpath' in target) return within.locator(`xpath=${target.xpath}`);
  if ('text' in target) return within.getByText(target.text);
  if ('label' in target) return within.getByLabel(target.label);
  if ('placeholder' in target) return within.getByPlaceholder(target.placeholder);
  if ('test_id' in target) return within.getByTestId(target.test_id);
  if ('role' in target) {
    return within.getByRole(target.role, target.name === undefined ? {} : { name: target.name });
  }
  const frame = numbered.get(target.element);
  if (frame === undefined) throw new ActionFailed(`no element ${target.element} in the last snapshot`);
  return frame.locator(`${NUMBERED}=${target.element}`);
}
