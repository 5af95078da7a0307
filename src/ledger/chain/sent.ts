// The Ethereum transaction of an account by its nonce. No index has nonces, but they rise with time: it is searched by
// halves of the time, some sixty probes of an index at most.
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { ChainEntity } from '../../../packages/store/read/select-chain-entity.ts';
import { type SentRow, selectNewestSent } from '../../../packages/store/read/state/select-past-nonces.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';

/** null = there is none. */
export async function askSent(
  db: Database,
  { id, ethereumNonce, createdTimestamp }: ChainEntity,
  nonce: bigint,
): Promise<SentRow | null> {
  if (nonce >= (ethereumNonce ?? 0n)) return null;
  let [from, to] = [createdTimestamp ?? 0n, latestMoment];
  let middle = to;
  while (from <= to) {
    const found = await selectNewestSent(db, id, { from, to: middle });
    if (found?.nonce === nonce) return found;
    if (found && found.nonce > nonce) to = found.consensusTimestamp - 1n;
    else from = middle + 1n;
    middle = (from + to) / 2n;
  }
  return null;
}
