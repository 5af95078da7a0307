// Contracts of the simulated network that clients call, and the mirror's own answer to the same question.
import { keccak256 } from '../../packages/protocol/keccak256.ts';
import { readMirror, retry } from './client-examples.ts';

type ContractExample = { contract_id: string; evm_address: string; runtime_bytecode: string; deleted: boolean };
export type ContractExamples = Record<'coin' | 'counter' | 'reverter' | 'vault', ContractExample>;

export type DirectAnswer = {
  status: number;
  result?: string;
  messages?: { message: string; detail: string; data: string }[];
};

/** Call data of a function with whole words as arguments. */
export function callData(signature: string, words: readonly (bigint | string)[] = []): string {
  const selector = keccak256(Buffer.from(signature)).toString('hex', 0, 4);
  return `0x${selector}${words.map((word) => BigInt(word).toString(16).padStart(64, '0')).join('')}`;
}

/** Call data of a function with one text as its argument. */
export function callDataOfText(signature: string, text: string): string {
  const bytes = Buffer.from(text);
  const padded = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0');
  return `${callData(signature, [32n, BigInt(bytes.length)])}${padded}`;
}

/** Waits until the mirror has one of each. */
export function readContractExamples(mirrorUrl: string): Promise<ContractExamples> {
  return retry(() => readOnce(mirrorUrl));
}

async function readOnce(mirrorUrl: string): Promise<ContractExamples> {
  const { contracts } = await readMirror<{ contracts: { contract_id: string }[] }>(
    mirrorUrl,
    '/contracts?limit=100&order=asc',
  );
  const whole: ContractExample[] = [];
  for (const { contract_id } of contracts) {
    whole.push(await readMirror<ContractExample>(mirrorUrl, `/contracts/${contract_id}`));
  }
  const withFunction = (signature: string): ContractExample => {
    // Compilers compare the selector as a constant.
    const found = whole.find(
      ({ deleted, runtime_bytecode }) => !deleted && runtime_bytecode.includes(`63${callData(signature).slice(2)}`),
    );
    if (!found) throw new Error(`No contract has ${signature} yet`);
    return found;
  };
  return {
    coin: withFunction('totalSupply()'),
    counter: withFunction('underflow(uint256)'),
    reverter: withFunction('withNothing()'),
    vault: withFunction('tryCall(address,bytes)'),
  };
}

export async function askDirectly(mirrorUrl: string, body: object): Promise<DirectAnswer> {
  const response = await fetch(`${mirrorUrl}/api/v1/contracts/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { result, _status } = (await response.json()) as {
    result?: string;
    _status?: { messages: DirectAnswer['messages'] };
  };
  return {
    status: response.status,
    ...(result === undefined ? {} : { result }),
    ...(_status?.messages === undefined ? {} : { messages: _status.messages }),
  };
}
