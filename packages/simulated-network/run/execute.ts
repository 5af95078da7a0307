// Executes one transaction on the ledger: fee, signatures, its handler, gas, rewards. A transaction that fails leaves
// its fee only.

import type { proto } from '../../protocol/hapi/hapi.ts';
import { feeShares } from '../ledger/fees.ts';
import { accountId } from '../ledger/hapi-values.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { payStakingRewards } from '../ledger/staking-rewards.ts';
import { keepDelegations } from '../transactions/delegations.ts';
import {
  addHbar,
  assertSigned,
  createOutcome,
  type Execution,
  type Moment,
  type Outcome,
  Rejection,
  type Status,
  type World,
} from '../transactions/execution.ts';
import { handlers } from '../transactions/handlers.ts';
import type { Call, Done } from './call.ts';

export type Executor = {
  /** @param signatureProbe Notes missing signatures; without one they are refused. */
  execute(call: Call, moment: Moment, signatureProbe?: Execution['signatureProbe']): Promise<Done>;
  /** What is owed whether or not the transaction succeeds. */
  payDues(dues: Dues, moment: Moment): void;
};

type Dues = Pick<Outcome, 'gas' | 'usedNonce'> & {
  /** Not yet paid; gas is not part of it. */
  fee?: { payer: bigint; amount: bigint };
};

export function createExecutor(world: World): Executor {
  const { ledger } = world;

  function pay(payer: bigint, amount: bigint, { nodeAccount }: Moment): void {
    addHbar(world, payer, -amount, 'INSUFFICIENT_PAYER_BALANCE');
    for (const share of feeShares(amount, nodeAccount)) addHbar(world, share.account, share.amount);
  }

  function payDues({ fee, gas, usedNonce }: Dues, moment: Moment): void {
    if (fee && fee.amount > 0n) pay(fee.payer, fee.amount, moment);
    if (usedNonce) ledger.change('accounts', usedNonce.account, { ethereumNonce: usedNonce.next });
    if (gas) pay(gas.payer, gas.amount, moment);
  }

  async function execute(call: Call, moment: Moment, signatureProbe: Execution['signatureProbe'] = null) {
    const start = ledger.mark();
    const x: Execution = { ...world, ...moment, ...call, signatureProbe, outcome: createOutcome() };
    let { fee } = call;
    let status: Status = 'SUCCESS';
    let mark = start;
    try {
      if (fee > 0n) pay(x.payer, fee, moment);
      mark = ledger.mark();
      if (call.completedBy) completeHollowAccount(x, call.completedBy);
      else if (!call.trusted) assertSigned(x, ledger.tables.accounts.get(x.payer)?.key);
      const handler = handlers[call.kind] as (x: Execution, data: object) => void | Promise<void>;
      await handler(x, call.data);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      ledger.rollback(mark);
      if (mark === start) fee = 0n;
      status = error.status;
      const {
        record = {},
        receipt = {},
        sidecars = [],
        gas = null,
        usedNonce = null,
        delegations = [],
      } = error.leftover;
      x.outcome = { ...createOutcome(), record, receipt, sidecars, gas, usedNonce, delegations };
    }
    const { gas } = x.outcome;
    payDues(x.outcome, moment);
    keepDelegations(x);
    const touched = ledger.balanceChanges(start).hbar.map(({ account }) => account);
    const rewards = payStakingRewards(ledger, touched, moment.consensusTimestamp);
    const balances = ledger.balanceChanges(start);
    return { status, outcome: x.outcome, balances, fee: fee + (gas?.amount ?? 0n), rewards };
  }

  return { execute, payDues };
}

/** The first signature of a hollow account's key completes the account; a record before the transaction says so. */
function completeHollowAccount(x: Execution, key: proto.IKey): void {
  x.ledger.change('accounts', x.payer, { key: encodeKey(key) });
  const outcome = createOutcome();
  outcome.receipt.accountID = accountId(x.payer);
  x.outcome.preceding.push({
    kind: 'cryptoUpdateAccount',
    data: { accountIDToUpdate: accountId(x.payer), key },
    memo: 'hollow account completion',
    outcome,
    status: 'SUCCESS',
  });
}
