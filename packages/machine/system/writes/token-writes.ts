// What 0x167 and 0x16c change of tokens: an answer of the code, and no revert.

import { parseParameters } from '../../../abi/abi-type.ts';
import type { AbiValue } from '../../../abi/abi-value.ts';
import { responseCode } from '../../../protocol/hapi/response-codes.ts';
import { noBytes } from '../../frame/frame.ts';
import { accountAt, tokenNum } from '../functions/accounts.ts';
import { type Context, type Reply, type SystemFunction, systemFunction } from '../functions/function.ts';
import { answer, answerCode, revert } from '../functions/reply.ts';
import { notSupported } from '../functions/unsupported.ts';
import { type Operation, operationGas } from '../gas/prices.ts';
import { approveAll, approveAmount, approveSerial } from './allowances.ts';
import type { Status } from './attempt.ts';
import { associate, changeRelation, dissociate, relationChanges } from './relations.ts';
import { burn, mint, pause, wipe } from './supply.ts';

type Args = readonly AbiValue[];
type Change = (args: Args, context: Context) => Status;

/** An answer of the code alone. */
function write(signature: string, operation: Operation, change: Change): SystemFunction {
  return systemFunction(signature, true, (args, context) => {
    const gas = operationGas(context.world.fact({ kind: 'fees' }), operation);
    return answerCode(change(args, context), gas);
  });
}

const numAt = (address: AbiValue | undefined, { world }: Context) => accountAt(address as bigint, world)?.num ?? null;
const tokenAt = (address: AbiValue | undefined) => tokenNum(address as bigint);
const tokensAt = (addresses: AbiValue | undefined) => (addresses as readonly bigint[]).map(tokenNum);

function relationWrite(signature: string, name: keyof typeof relationChanges): SystemFunction {
  return write(signature, name, ([token, account], context) =>
    changeRelation(relationChanges[name], tokenAt(token), numAt(account, context), context),
  );
}

const codeAndSupply = parseParameters('(int64,int64)');
const codeSupplyAndSerials = parseParameters('(int64,int64,int64[])');

function mintFunction(signature: string): SystemFunction {
  return systemFunction(signature, true, ([token, amount, metadata], context) => {
    const list = metadata as readonly Uint8Array[];
    const { status, supply, serials } = mint(tokenAt(token), amount as bigint, list, context);
    const operation = list.length > 0 ? 'mintNft' : 'mint';
    const gas = operationGas(context.world.fact({ kind: 'fees' }), operation, Math.max(list.length, 1));
    return answer(codeSupplyAndSerials, [BigInt(responseCode[status]), supply, serials], gas, status);
  });
}

function burnFunction(signature: string): SystemFunction {
  return systemFunction(signature, true, ([token, amount, serials], context) => {
    const { status, supply } = burn(tokenAt(token), amount as bigint, serials as readonly bigint[], context);
    const gas = operationGas(context.world.fact({ kind: 'fees' }), 'burn');
    return answer(codeAndSupply, [BigInt(responseCode[status]), supply], gas, status);
  });
}

function wipeFunction(signature: string): SystemFunction {
  return write(signature, 'wipe', ([token, account, amount], context) =>
    wipe(tokenAt(token), numAt(account, context), amount as bigint, [], context),
  );
}

const maxAmount = (1n << 63n) - 1n;

function approveFunction(signature: string, isOfAmount: boolean): SystemFunction {
  return systemFunction(signature, true, ([address, spender, value], context): Reply => {
    const { world } = context;
    const num = tokenAt(address);
    const gas = operationGas(world.fact({ kind: 'fees' }), 'approve');
    const token = world.fact({ kind: 'token', token: num });
    if ((value as bigint) > maxAmount) return revert(noBytes, gas);
    if (token === null) return answerCode('INVALID_TOKEN_ID', gas);
    if (token.isFungible !== isOfAmount) throw notSupported(context);
    const approve = isOfAmount ? approveAmount : approveSerial;
    return answerCode(approve(num, token, spender as bigint, value as bigint, context), gas);
  });
}

/** Functions of 0x167 and 0x16c. */
export const tokenWrites: readonly SystemFunction[] = [
  write('associateToken(address,address)', 'associate', ([account, token], context) =>
    associate(numAt(account, context), [tokenAt(token)], context),
  ),
  systemFunction('associateTokens(address,address[])', true, ([account, tokens], context) => {
    const list = tokensAt(tokens);
    const gas = operationGas(context.world.fact({ kind: 'fees' }), 'associate', Math.max(list.length, 1));
    return answerCode(associate(numAt(account, context), list, context), gas);
  }),
  write('dissociateToken(address,address)', 'dissociate', ([account, token], context) =>
    dissociate(numAt(account, context), [tokenAt(token)], context),
  ),
  write('dissociateTokens(address,address[])', 'dissociate', ([account, tokens], context) =>
    dissociate(numAt(account, context), tokensAt(tokens), context),
  ),
  mintFunction('mintToken(address,int64,bytes[])'),
  mintFunction('mintToken(address,uint64,bytes[])'),
  burnFunction('burnToken(address,int64,int64[])'),
  burnFunction('burnToken(address,uint64,int64[])'),
  wipeFunction('wipeTokenAccount(address,address,int64)'),
  wipeFunction('wipeTokenAccount(address,address,uint32)'),
  write('wipeTokenAccountNFT(address,address,int64[])', 'wipe', ([token, account, serials], context) =>
    wipe(tokenAt(token), numAt(account, context), 0n, serials as readonly bigint[], context),
  ),
  relationWrite('freezeToken(address,address)', 'freeze'),
  relationWrite('unfreezeToken(address,address)', 'unfreeze'),
  relationWrite('grantTokenKyc(address,address)', 'grantKyc'),
  relationWrite('revokeTokenKyc(address,address)', 'revokeKyc'),
  write('pauseToken(address)', 'pause', ([token], context) => pause(tokenAt(token), true, context)),
  write('unpauseToken(address)', 'unpause', ([token], context) => pause(tokenAt(token), false, context)),
  approveFunction('approve(address,address,uint256)', true),
  approveFunction('approveNFT(address,address,uint256)', false),
  write('setApprovalForAll(address,address,bool)', 'approve', ([token, operator, isApproved], context) =>
    approveAll(tokenAt(token), operator as bigint, isApproved as boolean, context),
  ),
];
