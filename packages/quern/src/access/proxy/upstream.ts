import type { Socket } from 'node:net';
import { formatProxy, type Proxy } from '#kernel/proxy-urls.ts';
import type { IpAddress } from '#access/guard/addresses.ts';
import { portOf } from '#access/guard/ports.ts';
import { getTargetHost } from '#access/guard/rules.ts';
import { openTunnel } from './tunnel.ts';

/** One exit of a proxy. */
export type Upstream = {
  /** Tells exits apart; holds no secret. */
  readonly key: string;
  /** The proxy's name for the operator. */
  readonly name: string;
  /**
   * Opens a connection to one of the addresses that the URL's host was checked as, or to its name where the operator
   * lets the proxy resolve names. Throws with the outcome `proxy_error`.
   */
  readonly open: (url: URL, addresses: readonly IpAddress[], signal: AbortSignal) => Promise<Socket>;
};

/** The exit of one proxy; `ca` (PEM) is trusted in addition to the system's for proxies that speak TLS. */
export function createUpstream(
  proxy: Proxy,
  { key, ca }: { readonly key: string; readonly ca?: readonly string[] },
): Upstream {
  return {
    key,
    name: formatProxy(proxy),
    async open(url, addresses, signal) {
      // Most exits have no version 6.
      const checked = addresses.find(({ family }) => family === 4) ?? addresses[0];
      const host = proxy.resolvesNames || checked === undefined ? getTargetHost(url) : checked.address;
      return openTunnel(proxy, { host, port: portOf(url) }, { signal, ca });
    },
  };
}
