// What an operator can set about answers. Everything that changes an answer's bytes is here, beside the dialect.

import { choice, integer, onOff, type SettingMembers, toMembers } from '../../../packages/kit/setting.ts';
import { type SystemRealm, usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import type { NetworkIdentity } from '../../../packages/protocol/network-identity.ts';
import { usualLimits } from '../../calls/call-limits.ts';

export type HttpUser = {
  username: string;
  password: string;
  /** Replaces the largest page size for this user. */
  limit?: number;
};

/** Each line is a setting, with its flag and its line in the reference, and a member of `HttpSettings`. */
export const answerSettings = {
  'limit-default': integer({ min: 1, max: 10_000, default: 25 }, 'Page size when a request does not specify one.'),
  'limit-max': integer({ min: 1, max: 10_000, default: 100 }, 'Maximum page size.'),
  'token-balance-limit': integer(
    { min: 1, max: 100_000, default: 1000 },
    'Maximum number of token balances in one account.',
  ),
  'listed-token-balance-limit': integer(
    { min: 1, max: 100_000, default: 50 },
    'Most token balances of each account in lists of accounts and balances.',
  ),
  'max-repeated-parameters': integer(
    { min: 1, max: 1000, default: 100 },
    'How often one query parameter may be repeated.',
  ),
  'delegation-address': onOff(
    { default: false },
    'Show delegation_address of accounts and authorization_list of contract results.',
  ),
  'synthetic-results': onOff(
    { default: true },
    'List results made from synthetic contract logs among the contract results.',
  ),
  'max-timestamp-range': integer(
    { unit: 'days', min: 1, max: 3650, default: 7 },
    'Maximum time range of a search for logs by topic.',
  ),
  'max-call-gas': integer(
    { unit: 'gas', min: 21_000, max: 1_000_000_000, default: 15_000_000 },
    'Largest gas limit of a call of contracts/call, and what a call has that names none.',
  ),
  'check-payer-balance': onOff(
    { default: false },
    'A call with a value or a gas price, and with `from`, needs a sender that has the value, or ends with INSUFFICIENT_PAYER_BALANCE. Otherwise every account counts as rich.',
  ),
  'opcode-traces': onOff({ default: true }, 'Run transactions again for contracts/results/{id}/opcodes; off = 404.'),
  prestate: choice(
    { choices: ['dialect', 'on', 'off'], default: 'dialect' },
    'Whether contracts/results/{id}/prestate is answered; off = 501. dialect = on in spec, off in hiero.',
  ),
  'bind-timestamp-range': onOff(
    { default: false },
    'Bound open timestamp ranges of transaction and result lists to the newest (or oldest) 60 days.',
  ),
};

export type HttpSettings = Omit<SettingMembers<typeof answerSettings>, 'maxTimestampRange'> & {
  /** What one call of a contract may take. */
  callLimits: { timeMs: number; memory: number; reads: number };
  /** Shard and realm of short ids. An unknown network may become known: read it for each request. */
  system: SystemRealm;
  /** Its chain id is shown for contract results without an Ethereum transaction. Read it for each request, too. */
  network: Pick<NetworkIdentity, 'chainId'>;
  /** ns; see `bind-timestamp-range`. */
  maxTransactionsTimestampRange: bigint;
  /** ns */
  maxTimestampRange: bigint;
  /** Credentials are optional; Basic credentials in a request must be those of one of these. */
  users: readonly HttpUser[];
  /** Not ready while the newest block is not proved. */
  requiresProof: boolean;
  /** Where to report security problems, a URI; null = none. */
  securityContact: string | null;
  /** ns since 1970 */
  clock: () => bigint;
};

const nsPerDay = 86_400_000_000_000n;

/** @param read the value of a setting */
export function httpSettingsOf(
  read: (name: keyof typeof answerSettings) => unknown,
  others: Partial<HttpSettings> = {},
): HttpSettings {
  const members = toMembers(answerSettings, read);
  return {
    ...members,
    maxTimestampRange: BigInt(members.maxTimestampRange) * nsPerDay,
    maxTransactionsTimestampRange: 60n * nsPerDay,
    system: usualRealm,
    network: { chainId: 0x128n },
    users: [],
    requiresProof: false,
    securityContact: null,
    callLimits: usualLimits,
    clock: () => BigInt(Date.now()) * 1_000_000n,
    ...others,
  };
}
