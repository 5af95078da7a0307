// What 0x167 and 0x16c change of tokens: an answer of the code, and no revert.
import { responseCode } from '../../../protocol/hapi/response-codes.ts';
import { noBytes } from '../../frame/frame.ts';
import { type AbiValue, abiTuple } from '../abi/types.ts';
import { accountAt, tokenNum } from '../functions/accounts.ts';
import { type Context, type Reply, type SystemFunction, systemFunction } from '../functions/function.ts';
import { answer, answerCode, revert } from '../functions/reply.ts';
import { notSupported } from '../functions/unsupported.ts';
import { type Operation, operationGas } from '../gas/prices.ts';
import { approveAll, approveAmount, approveSerial } from './allowances.ts';
import type { Status } from './attempt.ts';
import { logTransfer } from './events.ts';
import { associate, changeRelation, dissociate, relationChanges } from './relations.ts';
import { burn, mint, pause, wipe } from './supply.ts';
import { transferGas } from './transfer-gas.ts';
import { type Approval, type Move, moveTokens } from './transfers.ts';

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

const codeAndSupply = abiTuple('(int64,int64)');
const codeSupplyAndSerials = abiTuple('(int64,int64,int64[])');

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

/** `logs`: the event of ERC-20 or ERC-721, for the one move. */
function transferFunction(
  signature: string,
  movesOf: (args: Args, context: Context) => readonly Move[],
  { logs = false } = {},
): SystemFunction {
  return systemFunction(signature, true, (args, context) => {
    const { world } = context;
    const moves = movesOf(args, context);
    const amounts = moves.map((move) => ('amount' in move ? move.amount : move.serial));
    if (amounts.some((amount) => amount < 0n || amount > maxAmount)) {
      return revert(noBytes, transferGas(moves, 0, context));
    }
    const { status, associations } = moveTokens(moves, context);
    if (logs && status === 'SUCCESS') {
      for (const [at, move] of moves.entries()) {
        const [from, to] = [accountAt(move.from, world)!.num, accountAt(move.to, world)!.num];
        logTransfer(context, { token: move.token, from, to }, amounts[at]!, 'amount' in move);
      }
    }
    return answerCode(status, transferGas(moves, associations, context));
  });
}

const moveOf = ([token, from, to, amount]: Args, approval: Approval): Move => ({
  ...{ token: tokenAt(token), from: from as bigint, to: to as bigint, approval },
  amount: amount as bigint,
});
const nftMoveOf = ([token, from, to, serial]: Args, approval: Approval): Move => ({
  ...{ token: tokenAt(token), from: from as bigint, to: to as bigint, approval },
  serial: serial as bigint,
});

/** A changed balance; whether it takes from an allowance. */
type Adjustment = readonly [account: bigint, amount: bigint, isApproval?: boolean];

function sumOf(adjustments: readonly Adjustment[]): bigint {
  return adjustments.reduce((sum, [, amount]) => sum + amount, 0n);
}

/** From the one account that gives to all that take. */
function adjustmentMoves(token: AbiValue, adjustments: readonly Adjustment[], context: Context): Move[] {
  const givers = adjustments.filter(([, amount]) => amount < 0n);
  // Several givers share what is given as the ledger's order of balances says.
  if (givers.length !== 1 || sumOf(adjustments) !== 0n) throw notSupported(context);
  if (new Set(adjustments.map(([account]) => account)).size !== adjustments.length) throw notSupported(context);
  const [from, , isApproval = false] = givers[0]!;
  const approval = isApproval ? 'allowance' : 'usual';
  const takers = adjustments.filter(([, amount]) => amount > 0n);
  return takers.map(([to, amount], at) => ({
    ...moveOf([token, from, to, amount], at === 0 ? approval : 'taken'),
    gives: sumOf(takers),
  }));
}

function manyMoves([token, addresses, amounts]: Args, context: Context): Move[] {
  const [accounts, changes] = [addresses as readonly bigint[], amounts as readonly bigint[]];
  if (accounts.length !== changes.length) throw notSupported(context);
  return adjustmentMoves(
    token!,
    accounts.map((account, at) => [account, changes[at]!]),
    context,
  );
}

type TokenTransfers = readonly [
  token: bigint,
  adjustments: readonly Adjustment[],
  nfts: readonly (readonly [from: bigint, to: bigint, serial: bigint, isApproval?: boolean])[],
];

/** Of tokens; transfers of hbar beside them are not simulated. */
function listMoves(list: AbiValue, context: Context): Move[] {
  const transfers = list as unknown as readonly TokenTransfers[];
  const tokens = new Set(transfers.map(([token]) => token));
  if (transfers.length === 0 || tokens.size !== transfers.length) throw notSupported(context);
  return transfers.flatMap(([token, adjustments, nfts]) => [
    ...(adjustments.length > 0 ? adjustmentMoves(token, adjustments, context) : []),
    ...nfts.map(([from, to, serial, isApproval = false]) =>
      nftMoveOf([token, from, to, serial], isApproval ? 'allowance' : 'usual'),
    ),
  ]);
}

function manyNftMoves([token, from, to, serials]: Args, context: Context): Move[] {
  const lists = [from, to, serials] as readonly (readonly bigint[])[];
  const { length } = lists[2]!;
  if (lists.some((list) => list.length !== length) || length === 0) throw notSupported(context);
  return lists[2]!.map((serial, at) => nftMoveOf([token!, lists[0]![at]!, lists[1]![at]!, serial], 'usual'));
}

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
  transferFunction('transferToken(address,address,address,int64)', (args) => [moveOf(args, 'usual')]),
  transferFunction('transferNFT(address,address,address,int64)', (args) => [nftMoveOf(args, 'usual')]),
  transferFunction('transferTokens(address,address[],int64[])', manyMoves),
  transferFunction('transferNFTs(address,address[],address[],int64[])', manyNftMoves),
  transferFunction('cryptoTransfer((address,(address,int64)[],(address,address,int64)[])[])', ([list], context) =>
    listMoves(list!, context),
  ),
  transferFunction(
    'cryptoTransfer(((address,int64,bool)[]),(address,(address,int64,bool)[],(address,address,int64,bool)[])[])',
    ([hbar, list], context) => {
      const [adjustments] = hbar as readonly (readonly AbiValue[])[];
      if (adjustments!.length > 0) throw notSupported(context);
      return listMoves(list!, context);
    },
  ),
  transferFunction('transferFrom(address,address,address,uint256)', (args) => [moveOf(args, 'allowance')], {
    logs: true,
  }),
  transferFunction('transferFromNFT(address,address,address,uint256)', (args) => [nftMoveOf(args, 'allowance')], {
    logs: true,
  }),
];
