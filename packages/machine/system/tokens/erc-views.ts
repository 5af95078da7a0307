// What a token answers at its own address, as ERC-20, ERC-721 and HIP-719 say; and three of these at 0x167, with a code
// in front.

import { type AbiParameter, parseParameters } from '../../../abi/abi-type.ts';
import type { AbiValue } from '../../../abi/abi-value.ts';
import { responseCode } from '../../../protocol/hapi/response-codes.ts';
import type { NftFacts, TokenFacts } from '../../state/ledger-facts.ts';
import { accountAt, addressOf, tokenNum } from '../functions/accounts.ts';
import { type Context, type Reply, type SystemFunction, systemFunction } from '../functions/function.ts';
import { answer, answerCode, halt, revertByName } from '../functions/reply.ts';
import { supplyOf } from '../functions/supply.ts';
import { viewGas } from '../gas/prices.ts';

type Asked = { num: bigint; token: TokenFacts; gas: number; context: Context };
type Ask = (args: readonly AbiValue[], asked: Asked) => Reply;

/** At the token's address. */
function atToken(signature: string, ask: Ask): SystemFunction {
  return systemFunction(signature, false, (args, context) => askToken(context.facade!, args, context, ask));
}

/** At 0x167: the first argument is the token. */
function atSystem(signature: string, ask: Ask): SystemFunction {
  return systemFunction(signature, false, ([token, ...args], context) =>
    askToken(tokenNum(token as bigint), args, context, ask),
  );
}

function askToken(num: bigint, args: readonly AbiValue[], context: Context, ask: Ask): Reply {
  const { world } = context;
  const gas = viewGas(world.fact({ kind: 'fees' }));
  const token = world.fact({ kind: 'token', token: num });
  return token === null ? revertByName('INVALID_TOKEN_ID', gas) : ask(args, { num, token, gas, context });
}

const types = {
  string: parseParameters('(string)'),
  uint8: parseParameters('(uint8)'),
  uint256: parseParameters('(uint256)'),
  address: parseParameters('(address)'),
  bool: parseParameters('(bool)'),
  codeAndUint256: parseParameters('(int64,uint256)'),
  codeAndAddress: parseParameters('(int64,address)'),
  codeAndBool: parseParameters('(int64,bool)'),
};

type Result = readonly AbiParameter[];

/** With the code in front where the result has a place for it. */
function succeedWith(result: Result, value: AbiValue, gas: number): Reply {
  return answer(result, result.length === 1 ? [value] : [BigInt(responseCode.SUCCESS), value], gas);
}

function allowance(result: Result): Ask {
  return ([owner, spender], { num, token, gas, context: { world, call } }) => {
    if (!token.isFungible) return call.isStatic ? revertByName('INVALID_TOKEN_ID', gas) : answerCode('SUCCESS', gas);
    const from = accountAt(owner as bigint, world);
    const by = accountAt(spender as bigint, world);
    const left =
      from === null || by === null
        ? 0n
        : world.fact({ kind: 'tokenAllowance', token: num, owner: from.num, spender: by.num });
    return succeedWith(result, left, gas);
  };
}

function approved(result: Result): Ask {
  return ([serial], asked) => {
    const { token, gas, context } = asked;
    const nft = nftOf(serial as bigint, asked);
    if (token.isFungible && context.call.isStatic) return revertByName('INVALID_TOKEN_ID', gas);
    if (nft === null || token.isFungible) return revertByName('INVALID_TOKEN_NFT_SERIAL_NUMBER', gas);
    return succeedWith(result, addressOf(nft.spender, context.world), gas);
  };
}

function approvedForAll(result: Result): Ask {
  return ([owner, operator], { num, token, gas, context: { world } }) => {
    if (token.isFungible) return revertByName('INVALID_TOKEN_ID', gas);
    const from = accountAt(owner as bigint, world);
    const by = accountAt(operator as bigint, world);
    const isApproved =
      from !== null &&
      by !== null &&
      world.fact({ kind: 'nftAllowance', token: num, owner: from.num, spender: by.num });
    return succeedWith(result, isApproved, gas);
  };
}

const maxSerial = (1n << 63n) - 1n;

/** null: there is no such serial. */
function nftOf(serial: bigint, { num, context }: Asked): NftFacts | null {
  return serial > maxSerial ? null : context.world.fact({ kind: 'nft', token: num, serial });
}

function textOf(metadata: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(metadata);
}

export const ercViews: readonly SystemFunction[] = [
  atToken('name()', (_, { token, gas }) => answer(types.string, [token.name], gas)),
  atToken('symbol()', (_, { token, gas }) => answer(types.string, [token.symbol], gas)),
  atToken('decimals()', (_, { token, gas }) =>
    token.isFungible ? answer(types.uint8, [BigInt(token.decimals & 0xff)], gas) : halt(),
  ),
  atToken('totalSupply()', (_, { num, token, gas, context: { world } }) =>
    answer(types.uint256, [supplyOf(world, num, token)], gas),
  ),
  atToken('balanceOf(address)', ([address], { num, gas, context: { world } }) => {
    const account = accountAt(address as bigint, world);
    if (account === null) return revertByName('INVALID_ACCOUNT_ID', gas);
    const relation = world.fact({ kind: 'relation', token: num, account: account.num });
    return answer(types.uint256, [relation?.balance ?? 0n], gas);
  }),
  atToken('allowance(address,address)', allowance(types.uint256)),
  atToken('ownerOf(uint256)', ([serial], asked) => {
    const { token, gas, context } = asked;
    const nft = nftOf(serial as bigint, asked);
    if (token.isFungible) return halt();
    if (nft === null) return revertByName('INVALID_TOKEN_NFT_SERIAL_NUMBER', gas);
    return answer(types.address, [addressOf(nft.owner, context.world)], gas);
  }),
  atToken('getApproved(uint256)', approved(types.address)),
  atToken('isApprovedForAll(address,address)', approvedForAll(types.bool)),
  atToken('tokenURI(uint256)', ([serial], asked) => {
    const { token, gas } = asked;
    const nft = nftOf(serial as bigint, asked);
    if (token.isFungible) return halt();
    const uri = nft === null ? 'ERC721Metadata: URI query for nonexistent token' : textOf(nft.metadata);
    return answer(types.string, [uri], gas);
  }),
  atToken('isAssociated()', (_, { num, gas, context: { world, asker } }) =>
    answer(types.bool, [world.fact({ kind: 'relation', token: num, account: asker }) !== null], gas),
  ),
];

/** At 0x167. */
export const allowanceViews: readonly SystemFunction[] = [
  atSystem('allowance(address,address,address)', allowance(types.codeAndUint256)),
  atSystem('getApproved(address,uint256)', approved(types.codeAndAddress)),
  atSystem('isApprovedForAll(address,address,address)', approvedForAll(types.codeAndBool)),
];
