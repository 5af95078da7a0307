// 0x16a: addresses of accounts, allowances of hbar, signatures; and what answers at an account's own address.

import { parseParameters } from '../../../abi/abi-type.ts';
import type { AbiValue } from '../../../abi/abi-value.ts';
import { responseCode } from '../../../protocol/hapi/response-codes.ts';
import { isLongZero } from '../../base/long-zero.ts';
import { accountAt } from '../functions/accounts.ts';
import { type Context, type Reply, type SystemFunction, systemFunction } from '../functions/function.ts';
import { decodeKey } from '../functions/keys.ts';
import { answer, answerCode, revertByName } from '../functions/reply.ts';
import { systemContractOf } from '../functions/system-contract-of.ts';
import { unsupported } from '../functions/unsupported.ts';
import { operationGas, viewGas } from '../gas/prices.ts';
import { approveHbar } from '../writes/allowances.ts';
import { isSigned, isSignedByEd25519, readSignatureMap, recoverAddress } from './signatures.ts';

const success = BigInt(responseCode.SUCCESS);
const bool = parseParameters('(bool)');
const codeAndBool = parseParameters('(int64,bool)');
const codeAndAddress = parseParameters('(int64,address)');
const codeAndInt256 = parseParameters('(int64,int256)');

/** Of one verification: ecrecover's. */
const signatureGas = 3000;
const ed25519Length = 64;
const ecdsaLengths = { least: 65, most: 72 };

const feesOf = ({ world }: Context) => world.fact({ kind: 'fees' });

function found(address: bigint, context: Context): Reply {
  return answer(codeAndAddress, [success, address], viewGas(feesOf(context)));
}

function notFound(context: Context): Reply {
  const code = BigInt(responseCode.INVALID_ACCOUNT_ID);
  return answer(codeAndAddress, [code, 0n], viewGas(feesOf(context)), 'INVALID_ACCOUNT_ID');
}

function evmAddressAlias(address: bigint, context: Context): Reply {
  const account = isLongZero(address) ? accountAt(address, context.world) : null;
  return account === null || isLongZero(account.address) ? notFound(context) : found(account.address, context);
}

function numberAlias(address: bigint, context: Context): Reply {
  const account = isLongZero(address) ? null : accountAt(address, context.world);
  return account === null ? notFound(context) : found(account.num, context);
}

/** `owner`: number; null where no account is there. */
function hbarAllowance(owner: bigint | null, spender: bigint, context: Context): Reply {
  const { world } = context;
  const gas = viewGas(feesOf(context));
  if (owner === null) return revertByName('INVALID_ALLOWANCE_OWNER_ID', gas);
  const by = accountAt(spender, world);
  const left = by === null ? 0n : world.fact({ kind: 'hbarAllowance', owner, spender: by.num });
  return answer(codeAndInt256, [success, left], gas);
}

function hbarApprove(owner: bigint | null, spender: bigint, amount: bigint, context: Context): Reply {
  return answerCode(approveHbar(owner, spender, amount, context), operationGas(feesOf(context), 'approve'));
}

function isAuthorizedRaw([address, hash, signature]: readonly AbiValue[], { world, call }: Context): Reply {
  const refuse = (status: Parameters<typeof revertByName>[0]) => revertByName(status, call.gas);
  const { length } = signature as Uint8Array;
  const isEcdsa = length >= ecdsaLengths.least && length <= ecdsaLengths.most;
  if (!isEcdsa && length !== ed25519Length) return refuse('INVALID_TRANSACTION_BODY');
  const account = accountAt(address as bigint, world);
  if (account === null) return refuse('INVALID_ACCOUNT_ID');
  if (isEcdsa) {
    if (isLongZero(address as bigint)) return refuse('INVALID_ACCOUNT_ID');
    if ((hash as Uint8Array).length !== 32) return refuse('INVALID_TRANSACTION_BODY');
    const signer = recoverAddress(hash as Uint8Array, signature as Uint8Array);
    return answer(bool, [signer === address], signatureGas);
  }
  const stored = world.fact({ kind: 'owner', account: account.num })?.key;
  const key = stored ? decodeKey(stored) : null;
  if (key?.ECDSASecp256k1?.length) return refuse('INVALID_SIGNATURE_TYPE_MISMATCHING_KEY');
  if (!key?.ed25519?.length) return refuse('INVALID_TRANSACTION_BODY');
  const isValid = isSignedByEd25519(key.ed25519, hash as Uint8Array, signature as Uint8Array);
  return answer(bool, [isValid], signatureGas);
}

function isAuthorized(
  [address, message, signatures]: readonly AbiValue[],
  { world, call, lookAtTime }: Context,
): Reply {
  const account = accountAt(address as bigint, world);
  if (account === null) return revertByName('INVALID_ACCOUNT_ID', call.gas);
  const pairs = readSignatureMap(signatures as Uint8Array);
  if (pairs === null) return revertByName('INVALID_TRANSACTION_BODY', call.gas);
  const gas = signatureGas * pairs.length;
  // Signatures are not checked for less gas than that takes.
  if (gas > call.gas) return answer(codeAndBool, [success, false], gas);
  const stored = world.fact({ kind: 'owner', account: account.num })?.key;
  const key = stored ? decodeKey(stored) : null;
  const isValid = key !== null && isSigned(key, { message: message as Uint8Array, pairs, onVerification: lookAtTime });
  return answer(codeAndBool, [success, isValid], gas);
}

const functions: readonly SystemFunction[] = [
  systemFunction('getEvmAddressAlias(address)', false, ([address], context) =>
    evmAddressAlias(address as bigint, context),
  ),
  systemFunction('getHederaAccountNumAlias(address)', false, ([address], context) =>
    numberAlias(address as bigint, context),
  ),
  systemFunction('isValidAlias(address)', false, ([address], context) =>
    answer(bool, [accountAt(address as bigint, context.world) !== null], viewGas(feesOf(context))),
  ),
  systemFunction('hbarAllowance(address,address)', false, ([owner, spender], context) =>
    hbarAllowance(accountAt(owner as bigint, context.world)?.num ?? null, spender as bigint, context),
  ),
  systemFunction('isAuthorizedRaw(address,bytes,bytes)', false, isAuthorizedRaw),
  systemFunction('isAuthorized(address,bytes,bytes)', false, isAuthorized),
  systemFunction('hbarApprove(address,address,int256)', true, ([owner, spender, amount], context) =>
    hbarApprove(accountAt(owner as bigint, context.world)?.num ?? null, spender as bigint, amount as bigint, context),
  ),
];

export const accountService = systemContractOf({
  functions,
  facade: {
    kind: 'account',
    redirect: 'redirectForAccount',
    functions: [
      systemFunction('hbarAllowance(address)', false, ([spender], context) =>
        hbarAllowance(context.facade === 0n ? null : context.facade, spender as bigint, context),
      ),
      systemFunction('hbarApprove(address,int256)', true, ([spender, amount], context) =>
        hbarApprove(context.facade === 0n ? null : context.facade, spender as bigint, amount as bigint, context),
      ),
      unsupported('setUnlimitedAutomaticAssociations(bool)'),
    ],
    numOf: (address, world) => accountAt(address, world)?.num ?? 0n,
  },
});
