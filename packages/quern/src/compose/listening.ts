import type { FastifyInstance } from 'fastify';
import type { Config } from '#kernel/config.ts';
import { OperatorError } from '#kernel/errors.ts';
import type { Background } from './background.ts';
import type { Engine } from './engine.ts';
import type { Store } from './store.ts';

type ReadyParts = Pick<Engine, 'processes'> & Pick<Background, 'isAlive'> & Pick<Store, 'room'>;

/** Finds the reasons why a process is not ready, none when it is. */
export function obstaclesOf({ processes, isAlive, room }: ReadyParts) {
  return async (): Promise<readonly string[]> => {
    const stopped = isAlive() ? [] : ['the worker has stopped'];
    const unwritable = await processes.sweep().then(
      async () =>
        room.demand().then(
          () => [],
          () => ['the disk of the store has no room'],
        ),
      () => ['the store cannot be written'],
    );
    return [...stopped, ...unwritable];
  };
}

type Listening = { readonly config: Config; readonly setting: 'QUERN_PORT' | 'QUERN_WORKER_PORT' };

/** Listens on the address of the settings; answers the origin. */
export async function listen(server: FastifyInstance, { config, setting }: Listening): Promise<string> {
  const host = config.QUERN_HOST;
  const port = config[setting];
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE') {
      throw new OperatorError(`${setting} ${port}: is taken on ${host}; stop what listens there or set another port`, {
        cause: error,
      });
    }
    throw new OperatorError(
      `QUERN_HOST ${host}, ${setting} ${port}: cannot be listened on (${String(code ?? error)})`,
      {
        cause: error,
      },
    );
  }
}
