// What 0x167 and 0x16c answer about tokens: a code, and what it is about.

import { type AbiParameter, parseParameters } from '../../../abi/abi-type.ts';
import type { AbiValue } from '../../../abi/abi-value.ts';
import type { ResponseCodeName } from '../../../protocol/hapi/response-codes.ts';
import { responseCode } from '../../../protocol/hapi/response-codes.ts';
import type { TokenFacts } from '../../state/ledger-facts.ts';
import { accountAt, tokenNum } from '../functions/accounts.ts';
import { type Context, type SystemFunction, systemFunction } from '../functions/function.ts';
import { relationOf } from '../functions/relations.ts';
import { answer, revertByName } from '../functions/reply.ts';
import { supplyOf } from '../functions/supply.ts';
import { viewGas } from '../gas/prices.ts';
import {
  expiryOf,
  feesOf,
  keyOfBit,
  keyValueOf,
  ledgerIdOf,
  nftOf,
  noExpiry,
  noTokenInfo,
  results,
  tokenInfoOf,
} from './structs.ts';

type Result = readonly AbiParameter[];
/** Values behind the code. */
type Finding = { status?: ResponseCodeName; values: readonly AbiValue[] };
type Ask = (token: TokenFacts, args: readonly AbiValue[], context: Context) => Finding;

/** A function whose first argument is a token. `empty`: the values where the token is unknown. */
function view(
  signature: string,
  result: (context: Context) => Result,
  empty: (args: readonly AbiValue[], context: Context) => readonly AbiValue[],
  ask: Ask,
): SystemFunction {
  return systemFunction(signature, false, (args, context) => {
    const { world, call } = context;
    const gas = viewGas(world.fact({ kind: 'fees' }));
    const token = world.fact({ kind: 'token', token: tokenNum(args[0] as bigint) });
    const { status = 'SUCCESS', values } =
      token === null
        ? ({ status: 'INVALID_TOKEN_ID', values: empty(args, context) } as const)
        : ask(token, args, context);
    // The ledger takes no gas for it.
    if (status !== 'SUCCESS' && call.isStatic) return revertByName(status, 0);
    return answer(result(context), [BigInt(responseCode[status]), ...values], gas, status);
  });
}

const flag = parseParameters('(int64,bool)');
const int32 = parseParameters('(int64,int32)');
const versionOf = ({ call }: Context) => ({ hasMetadata: call.address === 0x16cn });
const resultsAt = (context: Context) => (versionOf(context).hasMetadata ? results.v2 : results.v1);
const infoOf = (token: TokenFacts, address: AbiValue | undefined, context: Context) => {
  const supply = supplyOf(context.world, tokenNum(address as bigint), token);
  return tokenInfoOf(token, supply, versionOf(context), ledgerIdOf(context.block.chainId));
};

function flagView(signature: string, ask: Ask): SystemFunction {
  return view(
    signature,
    () => flag,
    () => [false],
    ask,
  );
}

/** About a relation; the account has to be there. */
function relationView(signature: string, ask: (relation: RelationOrNone) => boolean): SystemFunction {
  return flagView(signature, (_, [token, address], { world }) => {
    const account = accountAt(address as bigint, world);
    if (account === null) return { status: 'INVALID_ACCOUNT_ID', values: [false] };
    return { values: [ask(relationOf(world, token as bigint, account.num))] };
  });
}

type RelationOrNone = ReturnType<typeof relationOf>;

const frozen = 1;
const kycRevoked = 2;
const noKey = keyValueOf(null);

export const tokenViews: readonly SystemFunction[] = [
  systemFunction('isToken(address)', false, ([token], { world }) => {
    const found = world.fact({ kind: 'token', token: tokenNum(token as bigint) });
    return answer(flag, [22n, found !== null], viewGas(world.fact({ kind: 'fees' })));
  }),
  relationView('isFrozen(address,address)', (relation) => relation?.freezeStatus === frozen),
  relationView('isKyc(address,address)', (relation) => relation !== null && relation.kycStatus !== kycRevoked),
  flagView('getTokenDefaultFreezeStatus(address)', (token) => ({ values: [token.freezeDefault] })),
  flagView('getTokenDefaultKycStatus(address)', (token) => ({ values: [token.kycStatus === 1] })),
  view(
    'getTokenType(address)',
    () => int32,
    () => [0n],
    (token) => ({ values: [token.isFungible ? 0n : 1n] }),
  ),
  view(
    'getTokenKey(address,uint256)',
    (context) => resultsAt(context).key,
    () => [noKey],
    (token, [, bit], context) => {
      const key = keyOfBit(token.keys, bit as bigint, versionOf(context));
      return key ? { values: [keyValueOf(key)] } : { status: 'KEY_NOT_PROVIDED', values: [noKey] };
    },
  ),
  view(
    'getTokenExpiryInfo(address)',
    (context) => resultsAt(context).expiry,
    () => [noExpiry],
    (token) => ({ values: [expiryOf(token)] }),
  ),
  view(
    'getTokenCustomFees(address)',
    (context) => resultsAt(context).fees,
    () => [[], [], []],
    (token) => ({ values: feesOf(token.fees) }),
  ),
  view(
    'getTokenInfo(address)',
    (context) => resultsAt(context).token,
    (_, context) => [noTokenInfo(versionOf(context))],
    (token, [address], context) => ({ values: [infoOf(token, address, context)] }),
  ),
  view(
    'getFungibleTokenInfo(address)',
    (context) => resultsAt(context).fungible,
    (_, context) => [[noTokenInfo(versionOf(context)), 0n]],
    (token, [address], context) => ({ values: [[infoOf(token, address, context), BigInt(token.decimals)]] }),
  ),
  view(
    'getNonFungibleTokenInfo(address,int64)',
    (context) => resultsAt(context).nonFungible,
    (_, context) => [[noTokenInfo(versionOf(context)), ...nftOf(0n, null, context.world)]],
    (token, [num, serial], context) => {
      const { world } = context;
      const nft = world.fact({ kind: 'nft', token: num as bigint, serial: serial as bigint });
      const values = [[infoOf(token, num, context), ...nftOf(serial as bigint, nft, world)]];
      return nft === null ? { status: 'INVALID_TOKEN_NFT_SERIAL_NUMBER', values } : { values };
    },
  ),
];
