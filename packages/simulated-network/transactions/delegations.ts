// What authorizations of an Ethereum transaction leave (EIP-7702), which stays when the transaction fails. Each has a
// record before the transaction's: the creation or update of the account.

import { delegationCode } from '../../machine/base/code.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import type { Delegation } from '../evm/evm-state.ts';
import { blankAccount, emptyKeyList } from '../ledger/blank-account.ts';
import { accountId, toLong } from '../ledger/hapi-values.ts';
import { type ChildOutcome, createOutcome, type Execution } from './execution.ts';

export function keepDelegations(x: Execution): void {
  const { ledger, outcome } = x;
  for (const { id, address, isNew, delegate, nonce } of outcome.delegations) {
    if (isNew && !ledger.tables.accounts.has(id)) {
      ledger.take('nextEntity');
      const account = { ...blankAccount(id, x.consensusTimestamp), evmAddress: address, maxAutomaticAssociations: -1 };
      ledger.put('accounts', id, account);
      ledger.put('names', Buffer.from(address).toString('hex'), id);
    }
    const code = delegate.some((byte) => byte !== 0) ? delegationCode(delegate) : null;
    ledger.change('accounts', id, { code, ethereumNonce: nonce });
  }
  outcome.preceding.unshift(...outcome.delegations.map(toRecord));
}

function toRecord({ id, address, isNew, delegate: delegationAddress }: Delegation): ChildOutcome {
  const outcome = createOutcome();
  outcome.receipt.accountID = accountId(id);
  if (isNew) outcome.record.evmAddress = address;
  const created = {
    key: proto.Key.decode(emptyKeyList),
    alias: address,
    autoRenewPeriod: { seconds: toLong(7_776_000n) },
    maxAutomaticTokenAssociations: -1,
    delegationAddress,
  };
  return {
    kind: isNew ? 'cryptoCreateAccount' : 'cryptoUpdateAccount',
    data: isNew ? created : { accountIDToUpdate: accountId(id), delegationAddress },
    outcome,
    status: 'SUCCESS',
  };
}
