import type { Socket } from 'node:net';
import { formatProxy, type Proxy } from '#kernel/proxy-urls.ts';
import type { IpAddress } from '#access/guard/addresses.ts';
import { getPort } from '#access/guard/ports.ts';
import { getTargetHost } from '#access/guard/rules.ts';
import { openTunnel } from './tunnel.ts';

/** One exit of a proxy. */
export type Upstream = {
  /** Identifies the exit; contains no secret. */
  readonly key: string;
  /** The proxy's name for the operator. */
  readonly name: string;
  /**
   * Opens a connection to one of the checked addresses of the URL's host, or to its name if the proxy resolves names
   * (`resolve=proxy`). Errors have the outcome `proxy_error`.
   */
  readonly open: (url: URL, addresses: readonly IpAddress[], signal: AbortSignal) => Promise<Socket>;
};

/** Creates the exit of one proxy; `ca` (PEM) is trusted in addition to the system's authorities, for TLS to the proxy. */
export function createUpstream(
  proxy: Proxy,
  { key, ca }: { readonly key: string; readonly ca?: readonly string[] },
): Upstream {
  return {
    key,
    name: formatProxy(proxy),
    async open(url, addresses, signal) {
      // Most exits have no IPv6.
      const checked = addresses.find(({ family }) => family === 4) ?? addresses[0];
      const host = proxy.resolvesNames || checked === undefined ? getTargetHost(url) : checked.address;
      return openTunnel(proxy, { host, port: getPort(url) }, { signal, ca });
    },
  };
}
