import type { Recording } from './corpus.ts';

/** How the input is told from a recording, where the address of its page does not do; null for what is not of its kind. */
export const INPUTS: Readonly<Record<string, (read: Recording) => Readonly<Record<string, unknown>> | null>> = {
  'codehost.user': ({ body }) => {
    const login = /"login":\s*"([^"]+)"/.exec(body)?.[1];
    return login === undefined ? null : { username: login };
  },
  'socialnet.event': ({ body }) => {
    const id = /property="og:url" content="[^"]*\/(\d+)\/"/.exec(body)?.[1];
    return id === undefined ? null : { id };
  },
  // Of the interface only the answer to the question itself: neither tokens nor comments that were asked for later.
  'forum.post': ({ body, url }) => {
    const id =
      url === null
        ? /www\.reddit\.com\/r\/\w+\/comments\/(\w+)\//.exec(body)?.[1]
        : /oauth\.reddit\.com\/comments\/(\w+)\/?\?/.exec(url)?.[1];
    return id === undefined ? null : { id };
  },
  'shop-a.product': ({ body, url }) => {
    const asin = /id="?ASIN"?[^>]* value="?(\w{10})/.exec(body)?.[1] ?? /(?:dp|product)\/(\w{10})/.exec(url ?? '')?.[1];
    const domain = /<link rel="canonical" href="https:\/\/www\.amazon\.([a-z.]+)\//.exec(body)?.[1] ?? 'com';
    return asin === undefined ? null : { asin, domain };
  },
};

/** Folders of the corpus that hold recordings of an endpoint under another name. */
export const OTHER_FOLDERS: Readonly<Record<string, readonly string[]>> = {};
