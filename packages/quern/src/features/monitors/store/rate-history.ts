import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import { FIRST_PAGE } from '#store/list-pieces.ts';
import { readRows } from '#store/rows.ts';
import { RECORDS_KEPT_MS } from '#engine/identity/plans.ts';
import type { HistoryPage } from './history.ts';
import { type HotelChange, toHotelChanges } from './monitor-record.ts';
import { ChangeRow } from './monitor-row.ts';

const CHANGES = `select * from monitor_changes where monitor_id = $1 and id < $2 and detected_at >= $3
    and kind <> 'parity' order by id desc limit $4`;

/** The changes of the rates of one run, one for each channel. */
type ChangedRates = { readonly id: string; readonly channels: readonly HotelChange[] };

/** Changes of the monitors of hotels, channel by channel and newest first; alerts are none of them. */
export function buildRateHistory({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  async function load(id: string, after: string | null, limit: number): Promise<readonly ChangedRates[]> {
    const values = [id, after ?? FIRST_PAGE, clock.now() - RECORDS_KEPT_MS, limit];
    return readRows(ChangeRow, await db.query(CHANGES, values)).map((row) => ({
      id: row.id,
      channels: toHotelChanges(row),
    }));
  }

  return {
    changes: async ({ id, after, limit }: HistoryPage) => load(id, after, limit),

    async latest(id: string): Promise<HotelChange> {
      const [latest] = (await load(id, null, 1))[0]?.channels ?? [];
      if (latest === undefined) throw new ServiceError('not_found', `${id} has no change yet`);
      return latest;
    },
  };
}

export type RateHistory = ReturnType<typeof buildRateHistory>;
