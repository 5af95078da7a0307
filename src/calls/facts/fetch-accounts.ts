// Accounts at addresses, with code and balance, as the machine knows them.
import { delegationCode } from '../../../packages/machine/base/code.ts';
import { isLongZero } from '../../../packages/machine/base/long-zero.ts';
import { readWord, writeWord } from '../../../packages/machine/base/word.ts';
import type { AccountFacts, AccountKind } from '../../../packages/machine/state/state-reader.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { decodeEntityId, maxNum } from '../../../packages/protocol/hapi/entity-id.ts';
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectPastBalances } from '../../../packages/store/read/state/select-past-balances.ts';
import { selectPastNonces } from '../../../packages/store/read/state/select-past-nonces.ts';
import {
  type StateAccountRow,
  selectRuntimeCodes,
  selectStateAccounts,
} from '../../../packages/store/read/state/select-state-accounts.ts';
import type { CodeCache } from './code-cache.ts';
import type { FoundAccount } from './fetched-facts.ts';

export type AccountsOptions = {
  system: SystemRealm;
  codes: CodeCache;
  until: bigint | null;
  /** Of the newest balances before the moment; only asked for the past. */
  snapshot(): Promise<bigint>;
};

const addressLength = 20;
const noCode = new Uint8Array(0);

const kinds: Readonly<Record<string, AccountKind>> = {
  ACCOUNT: 'account',
  CONTRACT: 'contract',
  TOKEN: 'token',
  SCHEDULE: 'schedule',
};

export async function fetchAccounts(
  db: Database,
  asked: readonly bigint[],
  options: AccountsOptions,
): Promise<FoundAccount[]> {
  if (asked.length === 0) return [];
  const { system, until } = options;
  const ids: bigint[] = [];
  const addresses: Buffer[] = [];
  for (const address of asked) {
    if (!isLongZero(address)) addresses.push(toBuffer(address));
    else if (address <= maxNum) ids.push(inRealm(address, system));
  }
  const rows = await selectStateAccounts(db, { ids, addresses }, until);
  const byAddress = new Map<bigint, StateAccountRow[]>();
  for (const row of rows) {
    const address = row.asked === null ? decodeEntityId(row.askedId).num : readWord(row.asked, 0, row.asked.length);
    const others = byAddress.get(address);
    if (others) others.push(row);
    else byAddress.set(address, [row]);
  }
  const living = new Map<bigint, LivingRow>();
  for (const found of byAddress.values()) {
    const alive = found.find((row) => isAlive(row, until));
    if (alive) living.set(alive.askedId, alive as LivingRow);
  }
  const facts = await toFacts(db, [...living.values()], options);
  return asked.map((address) => {
    const found = byAddress.get(address) ?? [];
    const alive = found.find(({ askedId }) => living.has(askedId));
    return {
      address,
      facts: alive ? facts.get(alive.askedId)! : null,
      wasContract: !alive && found.some(({ isContract }) => isContract),
    };
  });
}

type LivingRow = { [Name in keyof StateAccountRow]: StateAccountRow[Name] } & { id: bigint; type: string };

function isAlive({ id, type, deleted, createdTimestamp }: StateAccountRow, until: bigint | null): boolean {
  if (id === null || deleted === true || kinds[type] === undefined) return false;
  return until === null || createdTimestamp === null || createdTimestamp <= until;
}

async function toFacts(db: Database, rows: readonly LivingRow[], options: AccountsOptions) {
  const { codes, until, snapshot } = options;
  const unknown = rows.filter(({ type, id }) => type === 'CONTRACT' && codes.get(id) === undefined).map(({ id }) => id);
  const withBalance = rows.filter(({ type }) => type === 'ACCOUNT' || type === 'CONTRACT').map(({ id }) => id);
  const senders = until === null ? [] : rows.filter(isSender).map(({ id }) => id);
  const [fetched, nonces, balances] = await Promise.all([
    unknown.length > 0 ? selectRuntimeCodes(db, unknown) : [],
    selectPastNonces(db, senders, until ?? 0n),
    until === null || withBalance.length === 0
      ? null
      : snapshot().then((at) => selectPastBalances(db, withBalance, { snapshot: at, until })),
  ]);
  const codeOf = new Map<bigint, Uint8Array>();
  for (const { id, runtimeBytecode } of fetched) {
    // It may still come, in a mirror that began in the middle.
    if (runtimeBytecode?.length) codeOf.set(id, codes.keep(id, runtimeBytecode));
  }
  return new Map(
    rows.map((row): [bigint, AccountFacts] => {
      const code = row.type === 'CONTRACT' ? (codeOf.get(row.id) ?? codes.get(row.id) ?? noCode) : delegationOf(row);
      const ethereumNonce = nonces.get(row.id) ?? row.ethereumNonce;
      return [
        row.id,
        toAccount({ ...row, ethereumNonce }, (balances ? balances.get(row.id) : row.balance) ?? 0n, code),
      ];
    }),
  );
}

type EntityRow = Pick<
  StateAccountRow,
  'ethereumNonce' | 'evmAddress' | 'id' | 'receiverSigRequired' | 'delegationAddress'
> & { id: bigint; type: string };

export function delegationOf({ delegationAddress }: Pick<EntityRow, 'delegationAddress'>): Uint8Array {
  return delegationAddress?.some((byte) => byte !== 0) ? delegationCode(delegationAddress) : noCode;
}

export function toAccount(row: EntityRow, balance: bigint, code: Uint8Array): AccountFacts {
  const { id, type, evmAddress, ethereumNonce, receiverSigRequired } = row;
  const { num } = decodeEntityId(id);
  return {
    num,
    address: evmAddress?.length === addressLength ? readWord(evmAddress, 0, addressLength) : num,
    kind: kinds[type]!,
    balance,
    nonce: ethereumNonce ?? (type === 'CONTRACT' ? 1n : 0n),
    code,
    needsReceiverSignature: receiverSigRequired === true,
  };
}

/** Of Ethereum transactions. */
function isSender({ type, ethereumNonce }: LivingRow): boolean {
  return type === 'ACCOUNT' && (ethereumNonce ?? 0n) > 0n;
}

function toBuffer(address: bigint): Buffer {
  return Buffer.from(writeWord(address, addressLength));
}
