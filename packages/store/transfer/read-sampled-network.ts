// The network that an export is of, before it is loaded: PostgreSQL reads the row, in a table that is not kept.
import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { withClient } from '../../postgres/wire/connect-client.ts';
import { quoteNames } from '../../schema/sql-names.ts';
import type { MirroredNetwork } from '../read/select-mirrored-network.ts';
import type { LoadSample } from './measure-load.ts';

export type SampledNetwork = Pick<MirroredNetwork, 'name' | 'chainId'>;

/** null = it has no row, or one that cannot be read: that is reported when it is loaded. */
export async function readSampledNetwork(
  connectionString: string,
  { columns, text }: Pick<LoadSample, 'columns' | 'text'>,
): Promise<SampledNetwork | null> {
  return withClient(connectionString, 'bootstrap', async (client) => {
    await client.query('begin');
    try {
      await client.query('create temporary table sampled as select * from mirrored_network limit 0');
      const stream = client.query(copyFrom(`copy sampled (${quoteNames(columns)}) from stdin (format csv)`));
      stream.end(text);
      await finished(stream);
      const { rows } = await client.query<{ name: string | null; id: string | null }>(
        'select name, chain_id::text as id from sampled limit 1',
      );
      if (!rows[0]) return null;
      const { name, id } = rows[0];
      return { name, chainId: id === null ? null : BigInt(id) };
    } catch (error) {
      if (isOfRows(error)) return null;
      throw error;
    } finally {
      await client.query('rollback');
    }
  });
}

/** PostgreSQL's class 22: values that a type does not have, lines with another number of fields. */
function isOfRows(error: unknown): boolean {
  return /^22/.test((error as { code?: string }).code ?? '');
}
