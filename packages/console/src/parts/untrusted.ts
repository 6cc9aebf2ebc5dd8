import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const MAX_SHOWN = 2000;

type ForeignProps = { readonly text: string; readonly most?: number };

/** Text of a page or a caller: one direction of its own, at most a screenful until more is asked for. */
export function Foreign({ text, most = MAX_SHOWN }: ForeignProps): VNode {
  const [isWhole, showWhole] = useState(false);
  if (text.length <= most || isWhole) return html`<bdi class="foreign">${text}</bdi>`;
  return html`<span>
    <bdi class="foreign">${text.slice(0, most)}…</bdi>${' '}
    <button type="button" class="link" onClick=${() => showWhole(true)}>
      all ${text.length.toLocaleString('en')} characters
    </button>
  </span>`;
}

/** The web address that a text names; null for anything else, as `javascript:`. */
export function webUrlOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}

type ForeignLinkProps = { readonly url: string; readonly text?: string };

/** A link to a page outside; a text where the address is not one of the web. */
export function ForeignLink({ url, text = url }: ForeignLinkProps): VNode {
  const href = webUrlOf(url);
  const label = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  if (href === null || url.length > 8000) return html`<bdi class="foreign">${label}</bdi>`;
  return html`<a class="foreign" href=${href} target="_blank" rel="noopener noreferrer nofollow" dir="auto"
    >${label}</a
  >`;
}

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
