// The schedule of simple fees that the network has from its genesis on: figures of a consensus node of HAPI 0.78, for some of
// its services. What is charged here is in fees.ts; this is what can be asked about prices.
import type { FeeSchedule } from '../protocol/hapi/fee-schedule.ts';
import { proto } from '../protocol/hapi/hapi.ts';

const { HederaFunctionality } = proto;
const signatures = 0;
const keys = 1;
const hooks = 8;
const bytes = 23;

const cent = 100_000_000n;
const small = 9_000_000n;

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
    [hooks, 100n * cent],
    [bytes, 10_000n],
  ]),
  services: new Map(
    (
      [
        [
          HederaFunctionality.CryptoUpdate,
          1_200_000n,
          [
            { name: keys, included: 1n },
            { name: hooks, included: 0n },
          ],
        ],
        [HederaFunctionality.CryptoDelete, 49_000_000n, []],
        [HederaFunctionality.ConsensusDeleteTopic, 49_000_000n, []],
        [HederaFunctionality.FileDelete, 69_000_000n, []],
        [HederaFunctionality.ScheduleDelete, small, []],
        [HederaFunctionality.TokenBurn, small, []],
        [HederaFunctionality.TokenDelete, small, []],
        [HederaFunctionality.TokenDissociateFromAccount, 499_000_000n, []],
        [HederaFunctionality.TokenFreezeAccount, small, []],
        [HederaFunctionality.TokenGrantKycToAccount, small, []],
        [HederaFunctionality.TokenPause, small, []],
        [HederaFunctionality.TokenRevokeKycFromAccount, small, []],
        [HederaFunctionality.TokenUnfreezeAccount, small, []],
        [HederaFunctionality.TokenUnpause, small, []],
        [HederaFunctionality.TokenAccountWipe, small, []],
        [HederaFunctionality.UtilPrng, small, []],
      ] as const
    ).map(([functionality, baseFee, extras]) => [functionality, { baseFee, extras, free: false }]),
  ),
};
