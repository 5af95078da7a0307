import { withClient } from '../../postgres/wire/connect-client.ts';
import { createPartitions } from '../write/partitions.ts';

/** For rows with these times, ns, inclusive. */
export async function makePartitions(connectionString: string, span: { from: bigint; to: bigint }): Promise<void> {
  await withClient(connectionString, 'bootstrap', (client) => createPartitions().ensure(client, span.from, span.to));
}
