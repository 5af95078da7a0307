// The schedule of simple fees that the network begins with: figures of a consensus node of HAPI 0.78, for the services
// that can be priced. Gas is charged by it; the other fees that are charged are in prices.ts.
import type { FeeSchedule } from '../../protocol/hapi/fee-schedule.ts';
import { proto } from '../../protocol/hapi/hapi.ts';

const { HederaFunctionality: F } = proto;
const signatures = 0;
const keys = 1;
const hooks = 8;
const stateBytes = 22;
const bytes = 23;

const cent = 100_000_000n;
const small = 9_000_000n;

type Row = readonly [
  functionality: proto.HederaFunctionality,
  baseFee: bigint,
  included?: readonly (readonly [extra: number, count: bigint])[],
];

const services: readonly Row[] = [
  [
    F.ConsensusCreateTopic,
    99_000_000n,
    [
      [keys, 0n],
      [14, 0n],
    ],
  ],
  [F.ConsensusDeleteTopic, 49_000_000n],
  [F.ConsensusUpdateTopic, 1_200_000n, [[keys, 1n]]],
  [
    F.ContractUpdate,
    259_000_000n,
    [
      [keys, 1n],
      [hooks, 0n],
    ],
  ],
  [F.CryptoApproveAllowance, 499_000_000n, [[6, 1n]]],
  [
    F.CryptoCreate,
    499_000_000n,
    [
      [keys, 1n],
      [hooks, 0n],
    ],
  ],
  [F.CryptoDelete, 49_000_000n],
  [F.CryptoDeleteAllowance, 499_000_000n, [[6, 1n]]],
  [
    F.CryptoTransfer,
    0n,
    [
      [9, 0n],
      [10, 0n],
      [11, 0n],
      [5, 0n],
      [3, 2n],
      [4, 1n],
    ],
  ],
  [
    F.CryptoUpdate,
    1_200_000n,
    [
      [keys, 1n],
      [hooks, 0n],
    ],
  ],
  [F.FileAppend, 499_000_000n, [[stateBytes, 1000n]]],
  [
    F.FileCreate,
    499_000_000n,
    [
      [keys, 1n],
      [stateBytes, 1000n],
    ],
  ],
  [F.FileDelete, 69_000_000n],
  [
    F.FileUpdate,
    499_000_000n,
    [
      [keys, 1n],
      [stateBytes, 1000n],
    ],
  ],
  [
    F.ScheduleCreate,
    99_000_000n,
    [
      [keys, 1n],
      [16, 0n],
    ],
  ],
  [F.ScheduleDelete, small],
  [F.ScheduleSign, small],
  [F.TokenAccountWipe, small],
  [F.TokenAssociateToAccount, 499_000_000n, [[17, 1n]]],
  [F.TokenBurn, small],
  [
    F.TokenCreate,
    9_999_000_000n,
    [
      [keys, 1n],
      [12, 0n],
    ],
  ],
  [F.TokenDelete, small],
  [F.TokenDissociateFromAccount, 499_000_000n],
  [F.TokenFreezeAccount, small],
  [F.TokenGrantKycToAccount, small],
  [
    F.TokenMint,
    small,
    [
      [19, 0n],
      [13, 1n],
    ],
  ],
  [F.TokenPause, small],
  [F.TokenRevokeKycFromAccount, small],
  [F.TokenUnfreezeAccount, small],
  [F.TokenUnpause, small],
  [F.TokenUpdate, small, [[keys, 1n]]],
  [F.UtilPrng, small],
];

export const simpleFees: FeeSchedule = {
  nodeBaseFee: 100_000n,
  nodeExtras: [
    { name: bytes, included: 1350n },
    { name: signatures, included: 1n },
  ],
  networkMultiplier: 9n,
  extraFees: new Map([
    [signatures, 100_000n],
    [keys, cent],
    [3, 1_000_000n],
    [4, 1_000_000n],
    [5, 852n],
    [6, 5n * cent],
    [hooks, 100n * cent],
    [9, small],
    [10, 19_000_000n],
    [11, 50_000_000n],
    [12, 100n * cent],
    [13, 2n * cent],
    [14, 199n * cent],
    [16, 9n * cent],
    [17, 5n * cent],
    [19, 190_000_000n],
    [stateBytes, 1_000_000n],
    [bytes, 10_000n],
  ]),
  services: new Map(
    services.map(([functionality, baseFee, included = []]) => [
      functionality,
      { baseFee, extras: included.map(([name, count]) => ({ name, included: count })), free: false },
    ]),
  ),
};
