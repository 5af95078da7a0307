// Accounts of the ledger as the EVM sees them: addressed by EVM address, balances in weibar, with nonce and code.
import type { StateManagerInterface } from '@ethereumjs/common';
import { type Address, Account as EvmAccount } from '@ethereumjs/util';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { blankAccount } from '../ledger/blank-account.ts';
import { contractId } from '../ledger/hapi-values.ts';
import type { Account, Ledger } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';

export const weibarPerTinybar = 10_000_000_000n;

type EvmMethods = 'getAccount' | 'putAccount' | 'modifyAccountFields' | 'putCode' | 'getCode' | 'getCodeSize';

export type EvmAccounts = Pick<StateManagerInterface, EvmMethods> & {
  /** Starts watching a new transaction. */
  begin(consensusTimestamp: bigint): void;
  /** 0n for an address that is unknown. */
  idOf(address: Uint8Array): bigint;
  /** Contracts with a changed nonce. */
  changedNonces(): { contract: bigint; nonce: bigint }[];
};

export function createEvmAccounts(ledger: Ledger): EvmAccounts {
  const noncesBefore = new Map<bigint, bigint>();
  let now = 0n;

  function idOf(address: Uint8Array): bigint {
    const bytes = Buffer.from(address);
    const known = ledger.tables.names.get(bytes.toString('hex'));
    if (known !== undefined) return known;
    if (bytes.subarray(0, 12).some((byte) => byte !== 0)) return 0n;
    const num = bytes.readBigUInt64BE(12);
    return ledger.tables.accounts.has(num) ? num : 0n;
  }

  const rowOf = ({ bytes }: Address): Account | undefined => ledger.tables.accounts.get(idOf(bytes));

  function createRow(address: Address): Account {
    const id = ledger.take('nextEntity');
    const row = { ...blankAccount(id, now), evmAddress: Buffer.from(address.bytes), maxAutomaticAssociations: -1 };
    ledger.put('accounts', id, row);
    ledger.put('names', Buffer.from(address.bytes).toString('hex'), id);
    return row;
  }

  async function putAccount(address: Address, account?: EvmAccount): Promise<void> {
    if (!account) return;
    if (account.balance % weibarPerTinybar !== 0n) throw new Error('A balance is a whole number of tinybar');
    const balance = account.balance / weibarPerTinybar;
    const row = rowOf(address);
    if (!row && balance === 0n && account.nonce === 0n) return;
    const { id } = row ?? createRow(address);
    if (row?.balance === balance && row.ethereumNonce === account.nonce) return;
    if (!noncesBefore.has(id)) noncesBefore.set(id, row?.ethereumNonce ?? 0n);
    ledger.change('accounts', id, { balance, ethereumNonce: account.nonce });
  }

  return {
    begin: (consensusTimestamp) => {
      now = consensusTimestamp;
      noncesBefore.clear();
    },
    idOf,
    changedNonces: () =>
      [...noncesBefore].flatMap(([id, before]) => {
        const row = ledger.tables.accounts.get(id);
        return row?.isContract && row.ethereumNonce !== before ? [{ contract: id, nonce: row.ethereumNonce }] : [];
      }),
    getAccount: async (address) => {
      const row = rowOf(address);
      if (!row || row.deleted) return undefined;
      const codeHash = row.code?.length ? keccak_256(row.code) : undefined;
      return new EvmAccount(row.ethereumNonce, row.balance * weibarPerTinybar, undefined, codeHash);
    },
    putAccount,
    modifyAccountFields: async (address, { nonce, balance }) => {
      const row = rowOf(address);
      const weibar = balance ?? (row?.balance ?? 0n) * weibarPerTinybar;
      await putAccount(address, new EvmAccount(nonce ?? row?.ethereumNonce ?? 0n, weibar));
    },
    putCode: async (address, value) => {
      const { id, isContract, key } = rowOf(address) ?? createRow(address);
      // The only key of a contract that the EVM creates is the contract itself.
      const ownKey = encodeKey({ contractID: contractId(id) });
      ledger.change('accounts', id, { code: Uint8Array.from(value), isContract: true, key: isContract ? key : ownKey });
    },
    getCode: async (address) => rowOf(address)?.code ?? new Uint8Array(),
    getCodeSize: async (address) => rowOf(address)?.code?.length ?? 0,
  };
}
