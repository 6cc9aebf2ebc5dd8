import type { ServedInterface } from '#engine/call/instance.ts';
import type { Config } from '#kernel/config.ts';
import { COMPAT_MOUNTS } from '#transports/compat/mounts.ts';

/** Lists the interfaces of other services that a service with these settings answers. */
export function listInterfaces({ QUERN_COMPAT: compat, QUERN_PUBLIC_URL: publicUrl = '' }: Config): ServedInterface[] {
  if (compat === 'off') return [];
  return COMPAT_MOUNTS.map(({ name, title, prefix, paths }) => ({
    name,
    title,
    base_url: `${publicUrl}${prefix}`,
    paths,
  }));
}
