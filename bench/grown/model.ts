import { request } from 'undici';
import { z } from 'zod';
import type { Db } from '#store/db.ts';
import { readRow } from '#store/rows.ts';

export const KEY = `qk_${'mill'.repeat(8)}`;
export const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

const Made = z.object({ id: z.string() });
const Owner = z.object({ tenant_id: z.string() });

/** Makes a monitor that is not active, for the rows of others to be like; answers its id. */
export async function createModel(service: string, pages: string): Promise<string> {
  const answer = await request(`${service}/v1/monitors`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({
      url: `${pages}/price`,
      extract: { price: { json_path: '$.price', type: 'number' } },
      cron: '0 * * * *',
      active: false,
    }),
  });
  if (answer.statusCode !== 201) throw new Error(`the monitor was answered ${await answer.body.text()}`);
  return Made.parse(await answer.body.json()).id;
}

/** The tenant of the one key that there is. */
export async function readTenant(db: Db): Promise<string> {
  const owner = readRow(Owner, await db.query('select tenant_id from api_keys'));
  if (owner === null) throw new Error('the service has made no key');
  return owner.tenant_id;
}
