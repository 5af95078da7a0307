// Whether the network of a ledger id has signed a block. block-proof.json is of a network of four nodes that exists
// nowhere else.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createProofVerifier, pinLedgerId, readPublication, takePublication } from '@ledger-mirror/proof';

const given = JSON.parse(readFileSync(new URL('block-proof.json', import.meta.url), 'utf8'));
const bytes = (name) => Buffer.from(given[name], 'hex');
const trust = takePublication(pinLedgerId(bytes('ledgerId')), readPublication(bytes('publication')), 'unverified');
const { verify } = createProofVerifier({ random: randomBytes });
const block = { number: BigInt(given.block), roots: { sixteen: bytes('root'), eight: null }, proofs: [bytes('proof')] };
const { state, weight, totalWeight, reason, expected, found } = verify(block, trust).verdict;
console.log(
  state === 'verified' ? `signed by ${weight} of ${totalWeight}` : `${state}: ${reason ?? `${expected}, not ${found}`}`,
);
