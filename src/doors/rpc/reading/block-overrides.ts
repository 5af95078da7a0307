// What a call says about its block instead of what the ledger says, in the form of geth.
import type { BlockOverrides } from '../../../calls/thread/job.ts';
import { weibarPerTinybar } from '../terms/hex.ts';
import { type Kind, objectOf } from './kind.ts';
import { hexNumber } from './kinds.ts';
import { addressNumber, upTo, word } from './transaction-kinds.ts';

const uint64 = upTo(2n ** 64n - 1n);

export const blockOverrideMembers = {
  number: uint64,
  time: uint64,
  gasLimit: uint64,
  feeRecipient: addressNumber,
  prevRandao: word,
  baseFeePerGas: hexNumber,
  blobBaseFee: hexNumber,
  // Nothing shows it since there is PREVRANDAO.
  difficulty: hexNumber,
};
const members = objectOf('BlockOverrides', blockOverrideMembers, {
  error: 'Expected BlockOverrides object',
  isClosed: true,
});

/** The base fee becomes tinybar, as contracts see every price. */
export const blockOverrides: Kind<BlockOverrides> = {
  error: members.error,
  read(value) {
    const given = members.read(value);
    if (!given) return undefined;
    const { number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee } = given;
    return {
      ...(number === undefined ? {} : { number }),
      ...(time === undefined ? {} : { timestamp: time }),
      ...(gasLimit === undefined ? {} : { gasLimit }),
      ...(feeRecipient === undefined ? {} : { coinbase: feeRecipient }),
      ...(prevRandao === undefined ? {} : { prevRandao }),
      ...(baseFeePerGas === undefined ? {} : { baseFee: baseFeePerGas / weibarPerTinybar }),
      ...(blobBaseFee === undefined ? {} : { blobBaseFee }),
    };
  },
};
