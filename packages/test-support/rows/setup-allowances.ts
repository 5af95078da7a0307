// Rows of allowances and of single NFTs.
import { convert, type Maker, version } from './setup-row.ts';
import { toId } from './setup-values.ts';

export const toNft: Maker = (item, system) => [
  version('nft', {
    deleted: false,
    metadata: Buffer.alloc(0),
    timestamp_range: `[${item.created_timestamp ?? 0n},)`,
    ...convert(item, ['account_id', 'delegating_spender', 'spender', 'token_id'], (id) => toId(id, system)),
  }),
];

export const toCryptoAllowance: Maker = (item, system) => [
  version('crypto_allowance', {
    amount: 0n,
    timestamp_range: '[0,)',
    ...item,
    owner: toId(item.owner ?? 1000n, system),
    payer_account_id: toId(item.payer_account_id ?? 101n, system),
    spender: toId(item.spender ?? 2000n, system),
  }),
];

export const toTokenAllowance: Maker = (item, system) => [
  version('token_allowance', {
    amount: 0n,
    timestamp_range: '[0,)',
    ...item,
    owner: toId(item.owner ?? 1000n, system),
    payer_account_id: toId(item.payer_account_id ?? 101n, system),
    spender: toId(item.spender ?? 2000n, system),
    token_id: toId(item.token_id ?? 3000n, system),
  }),
];
