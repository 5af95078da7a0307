// Functions of 0x167 and 0x16c that transfer.

import type { AbiValue } from '../../../abi/abi-value.ts';
import { noBytes } from '../../frame/frame.ts';
import { accountAt, tokenNum } from '../functions/accounts.ts';
import { type Context, type SystemFunction, systemFunction } from '../functions/function.ts';
import { answerCode, revert } from '../functions/reply.ts';
import { notSupported } from '../functions/unsupported.ts';
import { type Adjustment, splitAdjustments } from './adjustments.ts';
import { attempt } from './attempt.ts';
import { logTransfer } from './events.ts';
import { moveHbar } from './hbar-transfers.ts';
import { transferGas } from './transfer-gas.ts';
import { type Approval, type Move, moveTokens } from './transfers.ts';

type Args = readonly AbiValue[];

const tokenAt = (address: AbiValue | undefined) => tokenNum(address as bigint);
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

/** From the one account that gives to all that take. */
function adjustmentMoves(token: AbiValue, adjustments: readonly Adjustment[], context: Context): Move[] {
  const { giver, takers, sum } = splitAdjustments(adjustments, context);
  const [from, , isApproval = false] = giver;
  const approval = isApproval ? 'allowance' : 'usual';
  return takers.map(([to, amount], at) => ({
    ...moveOf([token, from, to, amount], at === 0 ? approval : 'taken'),
    gives: sum,
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

function listMoves(list: AbiValue, context: Context): Move[] {
  const transfers = list as unknown as readonly TokenTransfers[];
  const tokens = new Set(transfers.map(([token]) => token));
  if (tokens.size !== transfers.length) throw notSupported(context);
  return transfers.flatMap(([token, adjustments, nfts]) => [
    ...(adjustments.length > 0 ? adjustmentMoves(token, adjustments, context) : []),
    ...nfts.map(([from, to, serial, isApproval = false]) =>
      nftMoveOf([token, from, to, serial], isApproval ? 'allowance' : 'usual'),
    ),
  ]);
}

/** `transfersOf`: changed balances of hbar, and transfers of tokens. */
function listFunction(
  signature: string,
  transfersOf: (args: Args) => { hbar: readonly Adjustment[]; list: AbiValue },
): SystemFunction {
  return systemFunction(signature, true, (args, context) => {
    const { hbar, list } = transfersOf(args);
    const moves = listMoves(list, context);
    if (hbar.length + moves.length === 0) throw notSupported(context);
    let associations = 0;
    const status = attempt(context.world, () => {
      const ofHbar = hbar.length > 0 ? moveHbar(hbar, context) : 'SUCCESS';
      if (ofHbar !== 'SUCCESS') return ofHbar;
      const moved = moveTokens(moves, context);
      associations = moved.associations;
      return moved.status;
    });
    return answerCode(status, transferGas(moves, associations, context, hbar.length));
  });
}

function manyNftMoves([token, from, to, serials]: Args, context: Context): Move[] {
  const lists = [from, to, serials] as readonly (readonly bigint[])[];
  const { length } = lists[2]!;
  if (lists.some((list) => list.length !== length) || length === 0) throw notSupported(context);
  return lists[2]!.map((serial, at) => nftMoveOf([token!, lists[0]![at]!, lists[1]![at]!, serial], 'usual'));
}

export const transferWrites: readonly SystemFunction[] = [
  transferFunction('transferToken(address,address,address,int64)', (args) => [moveOf(args, 'usual')]),
  transferFunction('transferNFT(address,address,address,int64)', (args) => [nftMoveOf(args, 'usual')]),
  transferFunction('transferTokens(address,address[],int64[])', manyMoves),
  transferFunction('transferNFTs(address,address[],address[],int64[])', manyNftMoves),
  listFunction('cryptoTransfer((address,(address,int64)[],(address,address,int64)[])[])', ([list]) => ({
    hbar: [],
    list: list!,
  })),
  listFunction(
    'cryptoTransfer(((address,int64,bool)[]),(address,(address,int64,bool)[],(address,address,int64,bool)[])[])',
    ([hbar, list]) => ({ hbar: (hbar as unknown as [readonly Adjustment[]])[0], list: list! }),
  ),
  transferFunction('transferFrom(address,address,address,uint256)', (args) => [moveOf(args, 'allowance')], {
    logs: true,
  }),
  transferFunction('transferFromNFT(address,address,address,uint256)', (args) => [nftMoveOf(args, 'allowance')], {
    logs: true,
  }),
];
