// What changes at a token's address, as ERC-20, ERC-721 and HIP-719 say. What fails reverts with the code, but for
// associations.

import { parseParameters } from '../../../abi/abi-type.ts';
import type { AbiValue } from '../../../abi/abi-value.ts';
import { noBytes } from '../../frame/frame.ts';
import type { TokenFacts } from '../../state/ledger-facts.ts';
import { accountAt } from '../functions/accounts.ts';
import { type Context, type Reply, type SystemFunction, systemFunction } from '../functions/function.ts';
import { answer, answerCode, revert, revertByName, revertByNumber, succeed } from '../functions/reply.ts';
import { notSupported } from '../functions/unsupported.ts';
import { operationGas } from '../gas/prices.ts';
import { approveAll, approveAmount, approveSerial } from './allowances.ts';
import type { Status } from './attempt.ts';
import { logTransfer } from './events.ts';
import { associate, dissociate } from './relations.ts';
import { transferGas } from './transfer-gas.ts';
import { type Approval, type Move, moveTokens } from './transfers.ts';

const bool = parseParameters('(bool)');
const maxAmount = (1n << 63n) - 1n;

/** True; no data for NFTs. */
function reply(status: Status, isFungible: boolean, gas: number): Reply {
  if (status !== 'SUCCESS') return revertByNumber(status, gas);
  return isFungible ? answer(bool, [true], gas) : succeed(noBytes, gas);
}

function withToken(
  signature: string,
  run: (token: TokenFacts, args: readonly AbiValue[], context: Context) => Reply,
): SystemFunction {
  return systemFunction(signature, true, (args, context) => {
    const { world, facade } = context;
    const token = world.fact({ kind: 'token', token: facade! });
    if (token !== null) return run(token, args, context);
    return revertByName('INVALID_TOKEN_ID', operationGas(world.fact({ kind: 'fees' }), 'tokenTransfer', 2));
  });
}

function transfer(
  token: TokenFacts,
  [from, to, value]: readonly bigint[],
  approval: Approval,
  context: Context,
): Reply {
  const parties = { token: context.facade!, from: from!, to: to!, approval };
  const move: Move = token.isFungible ? { ...parties, amount: value! } : { ...parties, serial: value! };
  if (value! > maxAmount) return revert(noBytes, transferGas([move], 0, context));
  const { status, associations } = moveTokens([move], context);
  if (status === 'SUCCESS') {
    const [giver, taker] = [accountAt(from!, context.world)!.num, accountAt(to!, context.world)!.num];
    logTransfer(context, { token: context.facade!, from: giver, to: taker }, value!, token.isFungible);
  }
  return reply(status, token.isFungible, transferGas([move], associations, context));
}

const approveGas = ({ world }: Context) => operationGas(world.fact({ kind: 'fees' }), 'approve');

export const ercWrites: readonly SystemFunction[] = [
  withToken('approve(address,uint256)', (token, [spender, value], context) => {
    const gas = approveGas(context);
    if ((value as bigint) > maxAmount) return revert(noBytes, gas);
    const approve = token.isFungible ? approveAmount : approveSerial;
    const status = approve(context.facade!, token, spender as bigint, value as bigint, context);
    return reply(status, token.isFungible, gas);
  }),
  withToken('transfer(address,uint256)', (token, [to, amount], context) => {
    // ERC-721 has no such function.
    if (!token.isFungible) throw notSupported(context);
    return transfer(token, [context.call.caller, to as bigint, amount as bigint], 'usual', context);
  }),
  withToken('transferFrom(address,address,uint256)', (token, args, context) =>
    transfer(token, args as readonly bigint[], 'allowance', context),
  ),
  withToken('setApprovalForAll(address,bool)', (_, [operator, isApproved], context) =>
    reply(approveAll(context.facade!, operator as bigint, isApproved as boolean, context), false, approveGas(context)),
  ),
  systemFunction('associate()', true, (_, context) => {
    const gas = operationGas(context.world.fact({ kind: 'fees' }), 'associate');
    return answerCode(associate(context.asker, [context.facade!], context), gas);
  }),
  systemFunction('dissociate()', true, (_, context) => {
    const gas = operationGas(context.world.fact({ kind: 'fees' }), 'dissociate');
    return answerCode(dissociate(context.asker, [context.facade!], context), gas);
  }),
];
