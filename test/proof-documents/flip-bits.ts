// Documents with one bit that differs. A verifier has to refuse each, and say why.
import { setImmediate } from 'node:timers/promises';
import { ProofRefused, type VerifyOptions, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';

/** What was accepted all the same, or refused without a reason; empty: nothing. */
export async function findAcceptedFlips(
  document: object,
  options: VerifyOptions,
  flips: number,
  seed = 'flips',
): Promise<string[]> {
  const text = Buffer.from(JSON.stringify(document));
  const random = createSeededRandom(seed);
  const accepted: string[] = [];
  for (let flip = 0; flip < flips; flip++) {
    // Lets the runner hear of the test: many flips take minutes.
    await setImmediate();
    const [place, bit] = [random.below(text.length), random.below(8)];
    const flipped = Buffer.from(text);
    flipped[place]! ^= 1 << bit;
    const what = judge(flipped.toString(), options);
    if (what !== null) accepted.push(`bit ${bit} of byte ${place}: ${what}`);
  }
  return accepted;
}

function judge(text: string, options: VerifyOptions): string | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  try {
    verifyProof(document, options);
    return 'accepted';
  } catch (error) {
    return error instanceof ProofRefused && error.message !== '' ? null : `${error}`;
  }
}
