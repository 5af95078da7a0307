// Checks the code of a contract against its record in an explorer, and prints its verified sources.
//
//   node examples/verify-contract.mjs [address] [chain id]
//
// Without an address it takes the contract of the simulated network that has a good record there. MIRROR=<url> names the
// mirror; http://127.0.0.1:5551 unless said otherwise. Needs a mirror that runs: npm start. Exit code 1: not verified.
import { setTimeout as pause } from 'node:timers/promises';

const mirror = process.env.MIRROR ?? 'http://127.0.0.1:5551';
const [address = '0x00000000000000000000000000000000000003f7', chainId = '298'] = process.argv.slice(2);

const { status, message } = await check();
console.log(`${address} on chain ${chainId}: ${status === 'null' ? `no match: ${message}` : status}`);
if (status === 'null') process.exitCode = 1;
else {
  const answer = await fetch(`${mirror}/v2/contract/${chainId}/${address}?fields=sources,compilation,abi`);
  const { sources, compilation, abi } = await answer.json();
  console.log(
    `compiled by ${compilation.compiler} ${compilation.compilerVersion} as ${compilation.fullyQualifiedName}`,
  );
  console.log(`${abi.filter(({ type }) => type === 'function').length} functions`);
  for (const [path, { content }] of Object.entries(sources)) console.log(`\n--- ${path}\n${content}`);
}

/** A busy mirror answers 429 and goes on with the check: the same request gets its result later. */
async function check() {
  for (;;) {
    const answer = await fetch(`${mirror}/verify/explorer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address, chainId }),
    });
    const body = await answer.json();
    if (answer.status === 200) return body.result[0];
    if (answer.status !== 429) throw new Error(`${answer.status} ${body.customCode}: ${body.message}`);
    await pause(1000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}
