import { type Config, isLoopback, type LoadedConfig } from '#kernel/config.ts';
import { OperatorError } from '#kernel/errors.ts';
import type { RunAdministration } from '#transports/cli/administration.ts';
import { createConsoleCommand, buildWelcomeUrl } from '#transports/cli/serve.ts';
import { assertData, refuseRemote } from './local-data.ts';
import type { Store } from './store.ts';

/** `quern console` on the data of this machine: whoever can read the data may sign in with any key. */
export function openConsoleCommand(settled: LoadedConfig, openStore: () => Promise<Store>): RunAdministration {
  return createConsoleCommand(async (keyId) => {
    refuseRemote(
      settled,
      'sign-in links can only be created on the machine with the data folder; sign in with your key instead',
    );
    const { config } = settled;
    if (config.QUERN_CONSOLE === 'off') throw new OperatorError('QUERN_CONSOLE is off: there is no console');
    await assertData(config, 'there is no key to sign in with');
    const store = await openStore();
    const { keys, consoleSessions } = store.registry;
    try {
      const found =
        keyId === null ? await consoleSessions.findOperatorKey() : (await keys.isLive(keyId)) ? keyId : null;
      if (found === null) {
        throw new OperatorError(
          keyId === null
            ? 'there is no active operator key; create one with quern keys create --operator'
            : `${keyId}: is not an active key; quern keys list shows them`,
        );
      }
      return buildWelcomeUrl(getServiceOrigin(config), await consoleSessions.createLink(found));
    } finally {
      await store.db.close();
    }
  });
}

/** The URL of the service for a browser on this machine, according to its settings. */
function getServiceOrigin({ QUERN_HOST: host, QUERN_PORT: port }: Config): string {
  const isAny = host === '0.0.0.0' || host === '::';
  const name = isAny || isLoopback(host) ? (host.includes(':') ? '[::1]' : '127.0.0.1') : host;
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`;
}
