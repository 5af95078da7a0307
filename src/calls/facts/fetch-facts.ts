// Facts that the machine misses, from the store: all of one round at once.
import { readWord, writeWord } from '../../../packages/machine/base/word.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { decodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectBlockHashes } from '../../../packages/store/read/state/select-state-block.ts';
import { selectPastSlots, selectStateSlots } from '../../../packages/store/read/state/select-state-slots.ts';
import type { BalanceSnapshots } from './balance-snapshots.ts';
import type { CodeCache } from './code-cache.ts';
import { fetchAccounts } from './fetch-accounts.ts';
import { fetchLedgerFacts } from './fetch-ledger-facts.ts';
import { fetchTokenView, takeTokenView } from './fetch-token-view.ts';
import type { FactsAsked, FetchedFacts, SlotKey } from './fetched-facts.ts';
import type { Moment } from './moment.ts';
import type { SystemFiles } from './system-files.ts';

/** Over a snapshot of the database. */
export type FactSource = (asked: FactsAsked) => Promise<FetchedFacts>;

export type FactSourceOptions = {
  db: Database;
  moment: Moment;
  system: SystemRealm;
  codes: CodeCache;
  files: SystemFiles;
  snapshots: BalanceSnapshots;
};

export function createFactSource(options: FactSourceOptions): FactSource {
  const { db, moment, system, codes, files, snapshots } = options;
  const { until, block } = moment;
  let snapshot: Promise<bigint> | null = null;
  const findSnapshot = (): Promise<bigint> => {
    snapshot ??= snapshots.before(db, moment);
    return snapshot;
  };
  const fetchAt = (addresses: readonly bigint[]) =>
    fetchAccounts(db, addresses, { system, codes, until, snapshot: findSnapshot });
  return async (asked) => {
    const view = until === null && !db.isDistributed ? takeTokenView(asked) : null;
    const { addresses, slots, blocks, keys } = view?.others ?? asked;
    const [viewed, accounts, foundSlots, blockHashes, facts] = await Promise.all([
      view && fetchTokenView(db, view, system),
      fetchAt(addresses),
      slots.length > 0 ? fetchSlots(slots) : [],
      blocks.length > 0 ? fetchHashes(db, blocks) : [],
      fetchLedgerFacts(db, keys, { system, files, until, at: until ?? block.consensusEnd, snapshot: findSnapshot }),
    ]);
    if (viewed) {
      accounts.push(...viewed.accounts, ...(await fetchAt(viewed.remaining)));
      facts.push(...viewed.facts);
    }
    return { accounts, slots: foundSlots, blockHashes, facts };
  };

  async function fetchSlots(asked: readonly SlotKey[]) {
    const names = asked.map(({ num, slot }) => ({
      contractId: inRealm(num, system),
      slot: Buffer.from(writeWord(slot)),
    }));
    const values = new Map<string, bigint>();
    const keyOf = (num: bigint, slot: bigint): string => `${num} ${slot}`;
    const toWord = (bytes: Buffer): bigint => readWord(bytes, 0, bytes.length);
    if (until === null) {
      for (const { contractId, slot, value } of await selectStateSlots(db, names)) {
        if (value !== null) values.set(keyOf(decodeEntityId(contractId).num, toWord(slot)), toWord(value));
      }
    } else {
      const newest = new Map<string, bigint>();
      for (const { contractId, slot, value, consensusTimestamp } of await selectPastSlots(db, names, until)) {
        const key = keyOf(decodeEntityId(contractId).num, toWord(slot));
        if ((newest.get(key) ?? -1n) >= consensusTimestamp) continue;
        newest.set(key, consensusTimestamp);
        values.set(key, toWord(value));
      }
    }
    return asked.map(({ num, slot }) => ({ num, slot, value: values.get(keyOf(num, slot)) ?? 0n }));
  }
}

const maxBlockNumber = 2n ** 63n - 1n;
const hashLength = 64;

async function fetchHashes(db: Database, numbers: readonly bigint[]) {
  const storable = numbers.filter((number) => number <= maxBlockNumber);
  const rows = await selectBlockHashes(db, storable);
  const hashes = new Map(rows.map(({ number, hash }) => [number, BigInt(`0x${hash.slice(0, hashLength)}`)]));
  return numbers.map((number) => ({ number, hash: hashes.get(number) ?? null }));
}
