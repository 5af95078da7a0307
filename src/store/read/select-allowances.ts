// What owners allow others to spend: hbar, and tokens.
import type { Range } from '../../kit/range.ts';
import { pageReader } from './select-page.ts';
import { everyColumn } from './statement/columns.ts';

const validity = { timestamp: 'timestamp_range' } as const;

/** Those with an amount left, by spender. */
export const selectCryptoAllowances = pageReader(
  everyColumn('crypto_allowance', validity),
  ['spender'],
  ({ owner, spender }: { owner: bigint; spender: Range }) => ({
    name: 'select-crypto-allowances',
    from: 'crypto_allowance where owner = $1 and amount > 0',
    values: [owner],
    keys: { spender },
  }),
);

/** The same for tokens, by spender and token. */
export const selectTokenAllowances = pageReader(
  everyColumn('token_allowance', validity),
  ['spender', 'tokenId'],
  ({ owner, spender, token }: { owner: bigint; spender: Range; token: Range }) => ({
    name: 'select-token-allowances',
    from: 'token_allowance where owner = $1 and amount > 0',
    values: [owner],
    keys: { spender, token_id: token },
  }),
);

/** `by`: which party `accountId` is; `other`: conditions on the other one. */
type NftAllowancesFilter = { by: 'owner' | 'spender'; accountId: bigint; other: Range; token: Range };

/** Those for all NFTs of a token, of an owner or of a spender; by the other party and token. */
export const selectNftAllowances = pageReader(
  everyColumn('nft_allowance', validity),
  ['owner', 'spender', 'tokenId'],
  ({ by, accountId, other, token }: NftAllowancesFilter) => ({
    name: `select-nft-allowances-by-${by}`,
    from: `nft_allowance where ${by} = $1 and approved_for_all`,
    values: [accountId],
    keys: { [by === 'owner' ? 'spender' : 'owner']: other, token_id: token },
  }),
);
