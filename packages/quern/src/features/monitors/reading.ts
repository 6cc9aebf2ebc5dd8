import type { Cursors } from '#engine/call/cursor.ts';
import type { MonitorFilter, Monitors } from '#features/monitors/store/monitors.ts';
import type { HistoryPage } from '#features/monitors/store/history.ts';
import { readListPage } from '#features/schema/lists.ts';

type ListPage = { readonly limit: number; readonly cursor?: string | undefined };

/** A page of the monitors of a tenant; its cursors belong to one list with its filters. */
export async function readMonitors(
  { limit, cursor }: ListPage,
  filter: Omit<MonitorFilter, 'after' | 'limit'>,
  { monitors, cursors }: { readonly monitors: Monitors; readonly cursors: Cursors },
) {
  const { tenant, ...filters } = filter;
  const scope = { tenant, operation: 'monitors', filters };
  return readListPage({
    limit,
    after: cursors.read(scope, cursor ?? null),
    load: async (after, most) => monitors.list({ ...filter, after, limit: most }),
    positionOf: ({ id }) => id,
    cursorOf: (last) => cursors.write(scope, last),
  });
}

type HistoryReading = {
  readonly tenant: string;
  readonly cursors: Cursors;
  readonly list: 'runs' | 'changes';
};

/** A page of the history of a monitor; cursors are those of its one list. */
export async function readHistory<T extends { readonly id: string }>(
  { id, limit, cursor }: ListPage & { readonly id: string },
  { tenant, cursors, list }: HistoryReading,
  load: (page: HistoryPage) => Promise<readonly T[]>,
) {
  const scope = { tenant, operation: `monitors.${list}`, filters: { id } };
  return readListPage({
    limit,
    after: cursors.read(scope, cursor ?? null),
    load: async (after, most) => load({ tenant, id, after, limit: most }),
    positionOf: (row) => row.id,
    cursorOf: (last) => cursors.write(scope, last),
  });
}
