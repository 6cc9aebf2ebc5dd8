import type { Cursors } from '#engine/call/cursor.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { readListPage } from '#features/schema/lists.ts';

type DeliveryPage = { readonly id: string; readonly limit: number; readonly cursor?: string | undefined };

type ListOptions = {
  /** The operation that the cursors belong to. */
  readonly operation: string;
  readonly tenant: string;
  readonly cursors: Cursors;
  readonly deliveries: Pick<DeliveryLog, 'list'>;
};

/** Reads a page of the deliveries of one owner. */
export async function listDeliveries(
  { id, limit, cursor }: DeliveryPage,
  { operation, tenant, cursors, deliveries }: ListOptions,
) {
  const scope = { tenant, operation, filters: { id } };
  return readListPage({
    limit,
    after: cursors.read(scope, cursor ?? null),
    load: async (after, most) => deliveries.list({ tenant, owner: id, after, limit: most }),
    getPosition: (row) => row.id,
    writeCursor: (last) => cursors.write(scope, last),
  });
}
