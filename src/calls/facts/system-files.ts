// What system files say at a time: exchange rate and fees. A content holds until the next change of its file, so that
// it is read once, and later only whether there was a change.
import type { ExchangeRate, Fees } from '../../../packages/machine/state/ledger-facts.ts';
import { noFacts } from '../../../packages/machine/state/ledger-facts.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { decodeFeeSchedule } from '../../../packages/protocol/hapi/fee-schedule.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { type SystemEntity, type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectFileChanges } from '../../../packages/store/read/select-file-changes.ts';
import { readSystemFile } from '../../ledger/files/read-system-file.ts';
import { decodeClassic, gasOfCall } from '../../ledger/network/gas-schedule.ts';

export type SystemFiles = {
  /** ns */
  rateAt(db: Database, at: bigint): Promise<ExchangeRate>;
  feesAt(db: Database, at: bigint): Promise<Fees>;
};

/** Contents by the time from which they are known to hold up to a later one. */
type Known<T> = { from: bigint; to: bigint; value: T | null };

const maxKnown = 100;

export function createSystemFiles(system: SystemRealm): SystemFiles {
  const rates = createFile('exchangeRates', decodeRate);
  const simpleFees = createFile('simpleFees', decodeFeeSchedule);
  /** Of the time before simple fees. */
  const classicFees = createFile('feeSchedules', decodeClassic);

  return {
    rateAt: async (db, at) => (await rates(db, at)) ?? noFacts.exchangeRate,
    async feesAt(db, at) {
      const simple = await simpleFees(db, at);
      const classic = simple === null ? await classicFees(db, at) : null;
      const schedule = simple ? { simple } : classic && { classic };
      const gasPrice = schedule && gasOfCall(schedule, at);
      // The machine divides by it.
      return { gasPrice: gasPrice !== null && gasPrice > 0n ? gasPrice : noFacts.fees.gasPrice, simple };
    },
  };

  function createFile<T>(file: SystemEntity, decode: (content: Buffer) => T | null) {
    const known: Known<T>[] = [];
    return async (db: Database, at: bigint): Promise<T | null> => {
      const fileId = systemEntityId(file, system);
      const found = known.find(({ from, to }) => from <= at && at <= to);
      if (found) return found.value;
      const before = known.findLast(({ to }) => to < at);
      if (before && (await selectFileChanges(db, fileId, { after: before.to, upTo: at })).length === 0) {
        before.to = at;
        return before.value;
      }
      const read = await readSystemFile(db, { fileId, upTo: at }, decode);
      known.push({ from: read?.timestamp ?? at, to: at, value: read?.value ?? null });
      known.sort((one, other) => (one.to < other.to ? -1 : 1));
      if (known.length > maxKnown) known.shift();
      return read?.value ?? null;
    };
  }
}

/** null: the file names none. */
function decodeRate(content: Buffer): ExchangeRate | null {
  const { currentRate } = proto.ExchangeRateSet.decode(content);
  if (!currentRate?.hbarEquiv || !currentRate.centEquiv) return null;
  return { hbar: BigInt(currentRate.hbarEquiv), cent: BigInt(currentRate.centEquiv) };
}
