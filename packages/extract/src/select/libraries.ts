import { createRequire } from 'node:module';

type Libraries = {
  readonly 'css-select': typeof import('css-select');
  readonly 'css-what': typeof import('css-what');
  readonly fontoxpath: typeof import('fontoxpath');
  readonly 'json-p3': typeof import('json-p3');
  readonly re2js: typeof import('re2js');
};

/**
 * A library for what callers write, loaded by the first that needs it and kept by Node. Together they cost tens of
 * megabytes in each thread, and most services never see a selector; `require` because selecting is synchronous.
 */
export const loadLibrary: <Name extends keyof Libraries>(name: Name) => Libraries[Name] = createRequire(
  import.meta.url,
);
