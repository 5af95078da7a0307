// The authorizations of an Ethereum transaction (EIP-7702), and the nonces that their accounts had: which of them were
// carried out is in the records around the transaction, and the ledger has no other account of those nonces.
import { addressLength, readWord, writeWord } from '../../../packages/machine/base/word.ts';
import { type Authorization, recoverAuthority } from '../../../packages/machine/run/authorize.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { decodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { AuthorizationListItem } from '../../../packages/store/read/contract-result-row.ts';
import { selectStateAccounts } from '../../../packages/store/read/state/select-state-accounts.ts';
import type { StateOverride } from '../thread/job.ts';
import type { Unit } from './find-unit.ts';

export function readAuthorizations(stored: readonly AuthorizationListItem[] | null): Authorization[] {
  return (stored ?? []).map((item) => {
    const one = { chainId: toInteger(item.chain_id), code: toInteger(item.address), nonce: toInteger(item.nonce) };
    const signature = { yParity: Number(toInteger(item.y_parity)), r: toInteger(item.r), s: toInteger(item.s) };
    return { ...one, authority: recoverAuthority(one, signature) };
  });
}

/** Of authorities that were there before, but the sender, whose nonce the transaction says. */
export async function noncesOfAuthorities(
  db: Database,
  authorizations: readonly Authorization[],
  { accounts, before }: Unit,
  sender: bigint,
): Promise<StateOverride[]> {
  const byAuthority = Map.groupBy(authorizations, ({ authority }) => authority);
  const addresses = [...byAuthority.keys()].filter((authority) => authority !== null);
  if (addresses.length === 0) return [];
  const asked = addresses.map((address) => Buffer.from(writeWord(address, addressLength)));
  const [rows, delegated] = await Promise.all([
    selectStateAccounts(db, { ids: [], addresses: asked }, before),
    findDelegated(db, accounts),
  ]);
  return rows.flatMap(({ id, deleted, asked: address }): StateOverride[] => {
    if (id === null || deleted === true || address === null || decodeEntityId(id).num === sender) return [];
    const authority = toWord(address);
    return [{ address: authority, nonce: nonceBefore(byAuthority.get(authority)!, delegated.get(authority)) }];
  });
}

/** Of authorities with authorizations that were carried out: the nonce before the first and after the last of them. */
export async function nonceChanges(
  db: Database,
  authorizations: readonly Authorization[],
  { accounts }: Unit,
): Promise<{ address: Buffer; before: bigint; after: bigint }[]> {
  if (authorizations.length === 0) return [];
  const delegated = await findDelegated(db, accounts);
  return [...Map.groupBy(authorizations, ({ authority }) => authority)].flatMap(([authority, list]) => {
    const code = authority === null ? undefined : delegated.get(authority);
    const last = list.findLast((one) => one.code === code);
    if (authority === null || last === undefined) return [];
    const address = Buffer.from(writeWord(authority, addressLength));
    return [{ address, before: nonceBefore(list, code), after: last.nonce + 1n }];
  });
}

/** By EVM address, the code that its account delegates to since the transaction. */
async function findDelegated(db: Database, accounts: Unit['accounts']): Promise<Map<bigint, bigint>> {
  const found = await Promise.all(
    accounts.map(async ({ consensusTimestamp, entityId }) => {
      const [row] =
        entityId === null ? [] : await selectStateAccounts(db, { ids: [entityId], addresses: [] }, consensusTimestamp);
      const { evmAddress, delegationAddress } = row ?? {};
      return evmAddress && delegationAddress ? [[toWord(evmAddress), toWord(delegationAddress)] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/**
 * Of those that were carried out one after the other, the last of which left this code. Where none was, it was another
 * one.
 */
function nonceBefore(list: readonly Authorization[], code: bigint | undefined): bigint {
  if (code === undefined) return list.reduce((most, { nonce }) => (nonce > most ? nonce : most), 0n) + 1n;
  let at = list.findLastIndex((one) => one.code === code);
  let nonce = list[at]?.nonce ?? 0n;
  for (at -= 1; at >= 0; at--) if (list[at]!.nonce === nonce - 1n) nonce -= 1n;
  return nonce;
}

function toWord(bytes: Uint8Array): bigint {
  return readWord(bytes, 0, bytes.length);
}

/** Hex text, or a number in rows of older importers. */
function toInteger(value: AuthorizationListItem[string] | undefined): bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value);
  return typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : 0n;
}
