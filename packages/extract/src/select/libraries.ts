import { createRequire } from 'node:module';

type Libraries = {
  readonly 'css-select': typeof import('css-select');
  readonly 'css-what': typeof import('css-what');
  readonly fontoxpath: typeof import('fontoxpath');
  readonly 'json-p3': typeof import('json-p3');
  readonly re2js: typeof import('re2js');
};

/**
 * Loads a library for selectors and patterns on first use; Node caches it. Together they need tens of megabytes in each
 * thread, and most services never use a selector. `require` is used because selecting is synchronous.
 */
export const loadLibrary: <Name extends keyof Libraries>(name: Name) => Libraries[Name] = createRequire(
  import.meta.url,
);
