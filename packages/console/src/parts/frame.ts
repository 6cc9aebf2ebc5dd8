import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Loads nothing from anywhere, and looks no name up, whatever the page of others asks for. */
const POLICY = `<meta http-equiv="x-dns-prefetch-control" content="off"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

/**
 * Tags that could load something, were it allowed. No policy covers `dns-prefetch` and `preconnect` of a `link`, nor those
 * in a frame within.
 */
const LOADERS = /<(?:link|iframe|frame|object|embed)(?=[\s/>])(?:"[^"]*"|'[^']*'|[^'">])*>?/gi;

type HtmlFrameProps = { readonly markup: string; readonly label: string };

/** HTML of others in a frame that runs no script, sends no form, opens no window and loads nothing. */
export function HtmlFrame({ markup, label }: HtmlFrameProps): VNode | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(
      new Blob(['<!doctype html>', POLICY, markup.replaceAll(LOADERS, ' ')], { type: 'text/html; charset=utf-8' }),
    );
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [markup]);
  return url === null ? null : html`<iframe class="page-frame" sandbox="" src=${url} title=${label}></iframe>`;
}
