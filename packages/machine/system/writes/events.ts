// Events of ERC-20 and ERC-721, which the ledger logs for writes of these forms.
import { signatureHash } from '../../../abi/selector.ts';
import { readWord, writeWord } from '../../base/word.ts';
import { noBytes } from '../../frame/frame.ts';
import { addressOf } from '../functions/accounts.ts';
import type { Context } from '../functions/function.ts';

const topicOf = (signature: string) => readWord(signatureHash(signature), 0, 32);
const topics = {
  transfer: topicOf('Transfer(address,address,uint256)'),
  approval: topicOf('Approval(address,address,uint256)'),
  approvalForAll: topicOf('ApprovalForAll(address,address,bool)'),
};

type Parties = { token: bigint; from: bigint; to: bigint };

/** An amount is in the data, a serial is a topic. */
export function logTransfer(context: Context, parties: Parties, value: bigint, isFungible: boolean): void {
  log(context, topics.transfer, parties, value, isFungible);
}

export function logApproval(context: Context, parties: Parties, value: bigint, isFungible: boolean): void {
  log(context, topics.approval, parties, value, isFungible);
}

export function logApprovalForAll(context: Context, parties: Parties, isApproved: boolean): void {
  log(context, topics.approvalForAll, parties, isApproved ? 1n : 0n, true);
}

function log(
  { world, addLog }: Context,
  topic: bigint,
  { token, from, to }: Parties,
  value: bigint,
  isInData: boolean,
): void {
  const indexed = [topic, addressOf(from, world), addressOf(to, world)];
  if (!isInData) indexed.push(value);
  addLog({ address: token, topics: indexed, data: isInData ? writeWord(value) : noBytes });
}
