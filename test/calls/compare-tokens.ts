// Asks a simulated ledger about tokens by calls, and compares each answer with REST. The ABI is read by another
// package.
import { decodeResult, encodeCall } from '../../packages/test-support/evm/signer-abi.ts';
import { type Called, type KnownMoments, show } from './known-moments.ts';
import { createQuestions, type Expected } from './token-questions.ts';

export type Compared = { asked: number; past: number; byName: Record<string, number>; differences: string[] };

const hex = (value: bigint): string => `0x${value.toString(16).padStart(40, '0')}`;

/** `count` questions; of two one is about the past. */
export async function compareTokens(ledger: KnownMoments, seed: string, count: number): Promise<Compared> {
  const next = createQuestions(ledger, seed);
  const compared: Compared = { asked: 0, past: 0, byName: {}, differences: [] };
  for (let tried = 0; compared.asked < count && tried < 4 * count; tried++) {
    const drawn = await next(tried % 2 === 0, Math.floor(tried / 2));
    if (drawn === null) continue;
    const { moment, name, question } = drawn;
    const { to, code, signature, args, from, expected } = question;
    const data = code ?? `0x${Buffer.from(encodeCall(signature, args)).toString('hex')}`;
    const sender = from === undefined ? {} : { from: hex(from) };
    const answer = await ledger.call({ to: to && hex(to), data, block: moment.block, ...sender });
    const [said, wanted] = [describe(answer, expected), describeExpected(expected)];
    if (said !== wanted) {
      const asked = `${signature} of ${show(args)} at ${to === null ? 'no address' : hex(to)}, block ${moment.block}`;
      const at = Math.max(0, firstDifference(said, wanted) - 60);
      const part = (text: string): string => text.slice(at, at + 160);
      compared.differences.push(`${asked}\n  from place ${at} said     ${part(said)}\n  expected ${part(wanted)}`);
    }
    compared.asked += 1;
    compared.past += moment.at === null ? 0 : 1;
    compared.byName[name] = (compared.byName[name] ?? 0) + 1;
  }
  return compared;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function describe(answer: Called, expected: Expected): string {
  if ('message' in answer) {
    if (answer.message === 'CONTRACT_REVERT_EXECUTED') {
      return `revert ${Buffer.from(answer.data.slice(2), 'hex').toString('latin1')}`;
    }
    return answer.message;
  }
  if (answer.bytes.length === 0) return 'nothing';
  return 'types' in expected ? show(decodeResult(expected.types, answer.bytes)) : show(answer.bytes);
}

function describeExpected(expected: Expected): string {
  if ('types' in expected) return show(expected.values);
  if ('reverts' in expected) return `revert ${expected.reverts}`;
  return 'halts' in expected ? 'CONTRACT_EXECUTION_EXCEPTION' : 'nothing';
}
