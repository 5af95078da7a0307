// A database in the compact form, with a part of its past moved.
import { withClient } from '../../postgres/wire/connect-client.ts';
import { type Compacted, compactRows, makeCompact } from '../../store/compact/compact-rows.ts';

type Options = {
  /** Of all blocks, the oldest: 0 to 1. */
  share: number;
  transactionsAtOnce?: number;
};

export async function compactShare(connectionString: string, { share, ...options }: Options): Promise<Compacted> {
  await makeCompact(connectionString);
  const before = await withClient(connectionString, 'test', async (client) => {
    const { rows } = await client.query<{ end: string }>(
      'select percentile_disc($1) within group (order by consensus_end)::text as end from record_file',
      [share],
    );
    return BigInt(rows[0]!.end) + 1n;
  });
  return compactRows({ connectionString, before, ...options });
}
