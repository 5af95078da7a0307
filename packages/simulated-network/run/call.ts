// A transaction as it is executed, and what came of it.

import type { proto } from '../../protocol/hapi/hapi.ts';
import type { BalanceChanges } from '../ledger/ledger.ts';
import type { Outcome, Signed, Status } from '../transactions/execution.ts';
import type { SubmittedKind } from '../transactions/handlers.ts';

export type Call = Signed & {
  kind: SubmittedKind;
  data: object;
  fee: bigint;
  /** The key that completes a hollow payer. */
  completedBy?: proto.IKey;
  /** Signatures are not checked. */
  trusted?: boolean;
};

export type Done = {
  status: Status;
  outcome: Outcome;
  balances: BalanceChanges;
  /** Gas included. */
  fee: bigint;
  rewards: { account: bigint; amount: bigint }[];
};
