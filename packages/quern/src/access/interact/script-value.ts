import type { Frame, Page } from 'patchright-core';
import { ActionFailed } from './actions.ts';

/** The longest value of a script, as JSON; it is part of the answer. */
const MAX_VALUE_CHARS = 1024 * 1024;

/** The value as JSON, or why there is none. */
type Told = { readonly json: string } | { readonly problem: string };

/** The value of an expression in the world of the page itself; throws `ActionFailed` where JSON cannot hold it. */
export async function evaluateScript(root: Page | Frame, script: string): Promise<unknown> {
  const handle = await root.evaluateHandle(script, undefined, {}, false).catch((error: unknown) => {
    const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    const reason = said.replace(/^\w+\.evaluate(?:Handle)?: /, '').slice(0, 500);
    throw new ActionFailed(`the script failed: ${reason}`, { cause: error });
  });
  try {
    const told: Told = await handle.evaluate(tellValue, MAX_VALUE_CHARS, {}, false);
    if ('problem' in told) throw new ActionFailed(`the value of the script ${told.problem.slice(0, 500)}`);
    if (told.json.length > MAX_VALUE_CHARS) throw new ActionFailed(`the value of the script ${TOO_LONG}`);
    return JSON.parse(told.json);
  } finally {
    await handle.dispose().catch(ignore);
  }
}

const TOO_LONG = 'is longer than 1 MiB';

/** Runs in the page: a value as JSON. What JSON would show as nothing at all is a problem, and no empty object. */
function tellValue(value: unknown, maxChars: number): Told {
  const places = new WeakMap<object, string>();
  let problem = '';

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- goes to the page with the function around it
  function nameUnfit(one: unknown): string | null {
    if (typeof one !== 'object' || one === null) return null;
    const tag = Object.prototype.toString.call(one).slice(8, -1);
    const isNode = 'nodeType' in one && 'nodeName' in one && typeof one.nodeType === 'number';
    if (tag !== 'Object' && isNode) return 'a DOM node, of which JSON shows nothing: take its text or an attribute';
    if (/^(?:Window|(?:Radio)?NodeList|HTML\w*Collection)$/.test(tag)) {
      return `a ${tag}, of which JSON shows nothing: take texts or attributes of its elements`;
    }
    const isPlain = Array.isArray(one) || /^(?:Object|Number|String|Boolean|Arguments)$/.test(tag) || 'toJSON' in one;
    return isPlain || Object.keys(one).length > 0 ? null : `a ${tag}, of which JSON shows nothing`;
  }

  function check(this: unknown, key: string, one: unknown): unknown {
    const holder = typeof this === 'object' && this !== null ? this : {};
    const above = places.get(holder);
    const step = Array.isArray(holder) ? `[${key}]` : `${above === '' ? '' : '.'}${key}`;
    const place = above === undefined ? '' : above + step;
    const unfit = nameUnfit(one);
    if (unfit !== null) {
      problem = place === '' ? `is ${unfit}` : `has, at ${place}, ${unfit}`;
      throw new Error(problem);
    }
    if (typeof one === 'object' && one !== null && !places.has(one)) places.set(one, place);
    return one;
  }

  if (typeof value === 'function') return { problem: 'is a function: call it' };
  if (typeof value === 'symbol') return { problem: 'is a symbol, which JSON cannot hold' };
  try {
    const json = JSON.stringify(value, check) ?? 'null';
    return json.length > maxChars ? { problem: 'is longer than 1 MiB' } : { json };
  } catch (error) {
    const said = String(error);
    if (problem === '' && /BigInt/.test(said)) problem = 'has a BigInt, which JSON cannot hold: turn it into a text';
    if (problem === '' && /circular|cyclic/i.test(said)) problem = 'holds itself, which JSON cannot say';
    return { problem: problem === '' ? `cannot be turned into JSON: ${said}` : problem };
  }
}

/** A handle of a page that is gone is gone too. */
function ignore(): void {}
