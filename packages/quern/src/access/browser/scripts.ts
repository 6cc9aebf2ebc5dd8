import { z } from 'zod';
import { REFRESH_VALUE } from '#access/classify/page-scan.ts';
import { ACCEPT_BUTTON_SELECTOR, REMOVED_SELECTOR, REMOVED_FLOATING_SELECTOR } from './overlays.ts';

/** An expression for a page, and the schema of its value. It runs in an isolated world, invisible to the page's scripts. */
export type Script<T> = { readonly expression: string; readonly result: z.ZodType<T> };

const PageStateSchema = z.object({
  chars: z.number(),
  hasControls: z.boolean(),
  isLoading: z.boolean(),
  isAlive: z.boolean(),
  ageMs: z.number(),
});

export type PageState = z.output<typeof PageStateSchema>;

/** Returns the open shadow roots of a page, including nested ones. */
const FIND_SHADOW_ROOTS = `() => {
    const found = [];
    const search = (tree) => {
      for (const { shadowRoot } of tree.querySelectorAll('*')) if (shadowRoot) found.push(shadowRoot);
    };
    search(document);
    for (const tree of found) search(tree);
    return found;
  }`;

/** The types of scripts that run (HTML standard, "prepare the script element"); others are data. */
const EXECUTABLE_TYPES = /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script(?:;.*)?)?$/i;

/**
 * The state of a page: length of its visible text; whether it has controls; whether it shows that it is loading (by words if
 * it has fewer than 400 characters, by classes below 200); whether scripts or a refresh may still add content, unless it
 * asks for consent; the time since it was loaded.
 */
const READ_STATE = `() => {
    const shadowed = (tree) => [...tree.children].map((one) => one.innerText ?? '').join(' ');
    const own = document.body?.innerText ?? '';
    const text = (own.length < 600 ? [own, ...(${FIND_SHADOW_ROOTS})().map(shadowed)].join(' ') : own).trim();
    const says = text.length < 400 && /\\b(?:loading|please wait|one moment)\\b/i.test(text);
    const marks = '[class*="spinner" i], [class*="loader" i], [class*="preloader" i], [class*="skeleton" i]';
    const shows = text.length < 200 && document.querySelector(marks) !== null;
    const runs = [...document.scripts].some(({ type }) => ${EXECUTABLE_TYPES}.test(type));
    const refresh = document.querySelector('meta[http-equiv="refresh" i]')?.content ?? '';
    const isAlive = (runs || ${REFRESH_VALUE}.test(refresh)) && document.querySelector(${JSON.stringify(ACCEPT_BUTTON_SELECTOR)}) === null;
    const hasControls = document.querySelector('a[href], button, input, select, textarea') !== null;
    const [timing] = performance.getEntriesByType('navigation');
    const ageMs = performance.now() - (timing?.loadEventEnd || timing?.domContentLoadedEventEnd || 0);
    return { chars: text.length, hasControls, isLoading: says || shows, isAlive, ageMs };
  }`;

export const PAGE_STATE: Script<PageState> = { result: PageStateSchema, expression: `(${READ_STATE})()` };

/** Reads the state once the page has not changed for `quietMs`, at most after `mostMs`; immediately if it has no scripts. */
export function buildStableStateScript(quietMs: number, mostMs: number): Script<PageState> {
  return {
    result: PageStateSchema,
    expression: `new Promise((resolve) => {
      const look = () => resolve((${READ_STATE})());
      if (document.scripts.length === 0) return look();
      const last = setTimeout(end, ${mostMs});
      let next = setTimeout(end, ${quietMs});
      const observer = new MutationObserver(() => {
        clearTimeout(next);
        next = setTimeout(end, ${quietMs});
      });
      function end() {
        observer.disconnect();
        clearTimeout(last);
        clearTimeout(next);
        look();
      }
      observer.observe(document, { childList: true, characterData: true, subtree: true });
    })`,
  };
}

/** Resolves with true when the selector matches, false if it does not within `mostMs`, null if the selector is invalid. */
export function buildWaitForSelectorScript(selector: string, mostMs: number): Script<boolean | null> {
  return {
    result: z.boolean().nullable(),
    expression: `new Promise((resolve) => {
      const selector = ${JSON.stringify(selector)};
      try {
        document.querySelector(selector);
      } catch {
        return resolve(null);
      }
      const last = setTimeout(end, ${mostMs}, false);
      const observer = new MutationObserver(look);
      function look() {
        if (document.querySelector(selector) !== null) end(true);
      }
      function end(isThere) {
        observer.disconnect();
        clearTimeout(last);
        resolve(isThere);
      }
      observer.observe(document, { childList: true, attributes: true, subtree: true });
      look();
    })`,
  };
}

const Area = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** Returns the area of the first visible element that a selector matches, in CSS pixels of the page; null for none. */
export function buildAreaScript(selector: string): Script<z.output<typeof Area> | null> {
  return {
    result: Area.nullable(),
    expression: `(() => {
      try {
        for (const element of document.querySelectorAll(${JSON.stringify(selector)})) {
          const { left, top, width, height } = element.getBoundingClientRect();
          if (width > 0 && height > 0)
            return { x: Math.max(0, left + scrollX), y: Math.max(0, top + scrollY), width, height };
        }
      } catch {}
      return null;
    })()`,
  };
}

/** Scrolls down while the page grows, within limits of time and length, then back to the top. */
export function buildScrollScript(bounds: {
  readonly stepMs: number;
  readonly mostMs: number;
  readonly mostPx: number;
}): Script<null> {
  return {
    result: z.null(),
    expression: `(async () => {
      const until = performance.now() + ${bounds.mostMs};
      const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const root = () => document.scrollingElement ?? document.documentElement;
      let height = -1;
      while (performance.now() < until && root().scrollTop < ${bounds.mostPx}) {
        scrollBy({ top: innerHeight * 0.9, behavior: 'instant' });
        await pause(${bounds.stepMs});
        if (root().scrollTop + innerHeight < root().scrollHeight - 2) continue;
        await pause(3 * ${bounds.stepMs});
        if (root().scrollHeight === height) break;
        height = root().scrollHeight;
      }
      scrollTo({ top: 0, behavior: 'instant' });
      return null;
    })()`,
  };
}

/** Scrolls to the end of the page; returns its height, px. */
export const SCROLL_TO_END: Script<number> = {
  result: z.number(),
  expression: `(() => {
    const { scrollHeight } = document.scrollingElement ?? document.documentElement;
    scrollTo({ top: scrollHeight, behavior: 'instant' });
    return scrollHeight;
  })()`,
};

/** Clicks the first matching element; returns whether there was one. */
export function buildClickScript(selector: string): Script<boolean> {
  return {
    result: z.boolean(),
    expression: `(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element?.click();
      return element !== null;
    })()`,
  };
}

/** Accepts a consent dialog; returns whether there was one. */
export const ACCEPT_CONSENT: Script<boolean> = {
  result: z.boolean(),
  expression: `(() => {
    const button = document.querySelector(${JSON.stringify(ACCEPT_BUTTON_SELECTOR)});
    button?.click();
    return button !== null;
  })()`,
};

/** Removes consent dialogs, advertisements and `noscript` elements; restores scrolling. */
const REMOVE_OVERLAYS = `(() => {
    const floats = (element) => {
      const { position } = getComputedStyle(element);
      return (position === 'fixed' || position === 'sticky') && element.textContent.length < 3000;
    };
    const removed = [
      ...document.querySelectorAll(${JSON.stringify(REMOVED_SELECTOR)}),
      ...[...document.querySelectorAll(${JSON.stringify(REMOVED_FLOATING_SELECTOR)})].filter(floats),
    ].filter((element) => element !== document.body && element !== document.documentElement);
    for (const element of removed) element.remove();
    for (const element of document.querySelectorAll('noscript')) element.remove();
    for (const element of [document.documentElement, document.body]) {
      if (removed.length > 0 && element && getComputedStyle(element).overflowY === 'hidden') {
        element.style.setProperty('overflow', 'visible', 'important');
      }
    }
  })();`;

const PageContent = z.object({ url: z.string(), html: z.string().nullable() });

/** Whether overlays and advertisements are removed before the page is read. */
export type SnapshotMode = 'cleaned' | 'as it is';

/**
 * Reads the HTML of the page, with open shadow roots as `<template shadowrootmode>` (HTML standard, `getHTML`); null if it is
 * longer than `most` characters.
 */
export function buildReadPageScript(most: number, mode: SnapshotMode): Script<z.output<typeof PageContent>> {
  return {
    result: PageContent,
    expression: `${mode === 'cleaned' ? REMOVE_OVERLAYS : ''}(() => {
      const top = document.documentElement;
      const write = () => {
        const shadowRoots = (${FIND_SHADOW_ROOTS})();
        const edges = shadowRoots.length === 0 ? '' : top.cloneNode(false).outerHTML;
        const end = edges.lastIndexOf('</');
        return end < 0 ? top.outerHTML : edges.slice(0, end) + top.getHTML({ shadowRoots }) + edges.slice(end);
      };
      const isEmpty = document.doctype === null && !document.querySelector('head > *, body > *') && !document.body?.textContent;
      const html = isEmpty || !top ? '' : write();
      const kind = document.doctype === null ? '' : '<!DOCTYPE html>\\n';
      return { url: location.href, html: html.length > ${most} ? null : kind + html };
    })()`,
  };
}

/** Maximum timers to clear: a malicious page may set so many that clearing all would block its process. */
const MAX_TIMERS = 100_000;

/**
 * Stops a page: clears timers and callbacks (shared by all worlds of the page) and removes all nodes including frames.
 * Otherwise they could navigate the page when scripts are enabled again for the next document.
 */
export const STOP_PAGE: Script<null> = {
  result: z.null(),
  expression: `(() => {
    const end = (last, cancel) => {
      for (let id = Math.max(1, last - ${MAX_TIMERS}); id <= last; id += 1) cancel(id);
    };
    const nothing = () => {};
    end(setTimeout(nothing), clearTimeout);
    end(requestAnimationFrame(nothing), cancelAnimationFrame);
    end(requestIdleCallback(nothing), cancelIdleCallback);
    document.replaceChildren();
    return null;
  })()`,
};
