// A transaction that happened, as what is run again: from its result, and its Ethereum transaction if there is one.
import { readWord } from '../../../packages/machine/base/word.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { decodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { type ContractRow, selectContracts } from '../../../packages/store/read/select-contract.ts';
import { selectFunctionResult } from '../../../packages/store/read/state/select-function-result.ts';
import type { ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import { creationCode, withArguments } from '../../ledger/contracts/creation-code.ts';
import type { CallInput, StateOverride } from '../thread/job.ts';
import { decodeNonces } from './decode-nonces.ts';
import { findUnit } from './find-unit.ts';
import { noncesOfAuthorities, readAuthorizations } from './read-authorizations.ts';

export type Rerun = {
  input: CallInput;
  overrides: StateOverride[];
  /** Of the first entity that it created. */
  firstCreated: bigint | null;
  /** The last moment before it, ns. */
  before: bigint;
};

const addressLength = 20;

/** null: the ledger does not hold what ran. */
export async function toRerun(db: Database, result: ContractResultDetail): Promise<Rerun | null> {
  const { contractId, senderId, payerAccountId, amount, gasLimit, nonce, ethType, consensusTimestamp: at } = result;
  const isEthereum = ethType !== null;
  const contract = contractId ? await findContract(db, contractId) : null;
  const target = isEthereum ? ethereumTarget(result) : hapiTarget(result, contract);
  if (target === null) return null;
  const [unit, functionResult] = await Promise.all([findUnit(db, result), selectFunctionResult(db, at)]);
  const from = decodeEntityId(senderId ?? payerAccountId).num;
  const made = [...(result.createdContractIds ?? []), ...unit.createdAccounts].map((id) => decodeEntityId(id).num);
  const authorizations = readAuthorizations(result.authorizationList);
  const overrides = await noncesOfAuthorities(db, authorizations, unit, from);
  if (isEthereum && nonce !== null) overrides.push({ address: from, nonce });
  const noncesAfter = decodeNonces(functionResult)
    .map(({ id, nonce }) => ({ num: decodeEntityId(id).num, nonce }))
    .filter(({ num }) => !made.includes(num));
  // With these no account has the addresses of what is created; what they were before, the run tells.
  overrides.push(...noncesAfter.map((after) => ({ address: after.num, nonce: after.nonce })));
  return {
    input: {
      from,
      to: target.to,
      value: amount ?? 0n,
      data: target.data,
      gas: Number(gasLimit),
      paysValue: false,
      authorizations,
      accessList: (result.accessList ?? []).map((item) => ({
        address: fromHex(item.address),
        slots: item.storage_keys.map(fromHex),
      })),
      transaction: {
        nonce: isEthereum ? nonce : null,
        noncesAfter,
        createAt: target.to !== null || isEthereum ? null : contractId ? recipientOf(result).address : 'next',
      },
    },
    overrides,
    firstCreated: made.length === 0 ? null : made.reduce((least, one) => (one < least ? one : least)),
    before: unit.before,
  };
}

/** The contract that it was about: called, or created. */
export function recipientOf({ contractId, evmAddress }: Pick<ContractResultDetail, 'contractId' | 'evmAddress'>) {
  const num = contractId ? decodeEntityId(contractId).num : null;
  return { num, address: evmAddress?.length === addressLength ? toWord(evmAddress) : (num ?? 0n) };
}

async function findContract(db: Database, id: bigint): Promise<ContractRow | null> {
  return (await selectContracts(db, { kind: 'id', id }))[0] ?? null;
}

type Target = { to: bigint | null; data: Uint8Array };

function ethereumTarget({ toAddress, functionParameters }: ContractResultDetail): Target {
  return { to: toAddress?.length === addressLength ? toWord(toAddress) : null, data: functionParameters };
}

function hapiTarget(result: ContractResultDetail, contract: ContractRow | null): Target | null {
  const { contractId, consensusTimestamp, functionParameters, failedInitcode } = result;
  if (!contractId) {
    return failedInitcode?.length ? { to: null, data: withArguments(failedInitcode, functionParameters) } : null;
  }
  if (contract === null || contract.createdTimestamp !== consensusTimestamp) {
    return { to: decodeEntityId(contractId).num, data: functionParameters };
  }
  const code = creationCode(contract);
  if (code.length === 0) return null;
  return { to: null, data: withArguments(code, functionParameters) };
}

function toWord(bytes: Uint8Array): bigint {
  return readWord(bytes, 0, bytes.length);
}

function fromHex(text: string): bigint {
  return BigInt(text.startsWith('0x') ? text : `0x${text}`);
}
