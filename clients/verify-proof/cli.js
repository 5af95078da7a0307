#!/usr/bin/env node
// verify-proof <url or file> --ledger-id <hex> | --address-book <file>
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bytesToHex } from '@noble/curves/utils.js';
import { sha384 } from '@noble/hashes/sha2.js';
import { ProofRefused, verifyProof } from './verify-proof.js';

const options = ['ledger-id', 'address-book', 'address-book-hash', 'wraps-key-hash', 'known-key'];
const usage = `verify-proof <url or file> --ledger-id <hex>                    of a block stream
verify-proof <url or file> --address-book <file>                of a record file; or --address-book-hash <hex>
  --known-key <hex>       hash of a signing key that you trust, of a ledger id of 64 bytes
  --allow-unproved-key    says what is signed also where nothing shows that the key is the ledger's (exit code 3)
Exit code 0: proved, 1: refused, 2: not read, 3: signed by a key that is not proved.`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...Object.fromEntries(options.map((name) => [name, { type: 'string' }])),
      'allow-unproved-key': { type: 'boolean' },
    },
  });
  const [place] = positionals;
  if (positionals.length !== 1 || !(values['ledger-id'] ?? values['address-book'] ?? values['address-book-hash'])) {
    throw new Error(usage);
  }
  const book = values['address-book'];
  const addressBookHash = book ? bytesToHex(sha384(readFileSync(book))) : values['address-book-hash'];
  const result = verifyProof(parse(await read(place)), {
    ledgerId: values['ledger-id'],
    addressBookHash,
    wrapsKeyHash: values['wraps-key-hash'],
    knownKeys: values['known-key'] ? [values['known-key']] : [],
    allowUnprovedKey: values['allow-unproved-key'],
    onStep: (sentence) => console.log(`ok  ${sentence}`),
  });
  for (const { subtree, bytes } of result.items ?? []) console.log(`${subtree} ${bytesToHex(bytes)}`);
  if (result.item) for (const [part, value] of Object.entries(result.item)) console.log(`${part} ${bytesToHex(value)}`);
  const isProved = result.key?.from !== 'nothing';
  const what = isProved ? 'Proved' : 'NOT PROVED: signed by a key that nothing shows to be the ledger’s';
  console.log(result.block === null ? `${what}.` : `${what}, of block ${result.block}.`);
  if (!isProved) process.exitCode = 3;
} catch (error) {
  console.error(error instanceof ProofRefused ? `Refused: ${error.message}` : error.message);
  process.exitCode = error instanceof ProofRefused ? 1 : 2;
}

async function read(place) {
  if (!/^https?:/.test(place)) return readFileSync(place, 'utf8');
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place} answers with status ${answer.status}`);
  return answer.text();
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProofRefused('the document is not JSON');
  }
}
