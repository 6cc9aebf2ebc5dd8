import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const MAX_SHOWN_LENGTH = 2000;

type UntrustedTextProps = { readonly text: string; readonly maxLength?: number };

/** Text from a page or a caller. Its direction is isolated, and only its start is shown until the reader asks for all. */
export function UntrustedText({ text, maxLength = MAX_SHOWN_LENGTH }: UntrustedTextProps): VNode {
  const [isWhole, showWhole] = useState(false);
  if (text.length <= maxLength || isWhole) return html`<bdi class="foreign">${text}</bdi>`;
  return html`<span>
    <bdi class="foreign">${text.slice(0, maxLength)}…</bdi>${' '}
    <button type="button" class="link" onClick=${() => showWhole(true)}>
      all ${text.length.toLocaleString('en')} characters
    </button>
  </span>`;
}

/** Parses an http or https URL; null for anything else, such as `javascript:`. */
export function parseWebUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}

type UntrustedLinkProps = { readonly url: string; readonly text?: string };

/** A link to an external page; plain text if the URL is not http or https. */
export function UntrustedLink({ url, text = url }: UntrustedLinkProps): VNode {
  const href = parseWebUrl(url);
  const label = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  if (href === null || url.length > 8000) return html`<bdi class="foreign">${label}</bdi>`;
  return html`<a class="foreign" href=${href} target="_blank" rel="noopener noreferrer nofollow" dir="auto"
    >${label}</a
  >`;
}

/** Forbids all loading and DNS lookups in the frame. */
const NO_LOADING_POLICY = `<meta http-equiv="x-dns-prefetch-control" content="off"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

/**
 * Tags that load something. No content policy covers `dns-prefetch` and `preconnect` of a `link`, or those in a nested
 * frame, so the tags are removed.
 */
const LOADING_TAGS = /<(?:link|iframe|frame|object|embed)(?=[\s/>])(?:"[^"]*"|'[^']*'|[^'">])*>?/gi;

type UntrustedHtmlProps = { readonly markup: string; readonly label: string };

/** HTML of a page in a sandboxed frame: no scripts, forms, windows or loading. */
export function UntrustedHtml({ markup, label }: UntrustedHtmlProps): VNode | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(
      new Blob(['<!doctype html>', NO_LOADING_POLICY, markup.replaceAll(LOADING_TAGS, ' ')], {
        type: 'text/html; charset=utf-8',
      }),
    );
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [markup]);
  return url === null ? null : html`<iframe class="page-frame" sandbox="" src=${url} title=${label}></iframe>`;
}
