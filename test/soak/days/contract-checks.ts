// A contract of the ledger is checked with the compiler again and again, each time from a source that is another by one
// comment: the code is the same, its metadata is not.
import { setTimeout as sleep } from 'node:timers/promises';
import { compilerVersion, runtimeCodeOf, standardInput } from '../../support/contracts/sample-contracts.ts';
import type { Outcome, Target } from './asked-kinds.ts';

type Json = ReturnType<typeof JSON.parse>;

export type ContractChecks = {
  /** Of the checks that ended since the last call. */
  take(): { right: number; cut: number; wrong: string[] };
  stop(): Promise<void>;
};

const pollMs = 1000;
const doneWithinMs = 300_000;

export function startContractChecks(target: Target, everyMs: number): ContractChecks {
  let [right, cut] = [0, 0];
  let wrong: string[] = [];
  const stopping = new AbortController();
  const running = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const outcome = await checkOnce(target, turn);
      if (typeof outcome === 'object') wrong.push(`contract check: ${outcome.wrong}`);
      else if (outcome === 'right') right += 1;
      else cut += 1;
      // An abort ends it sooner.
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    take() {
      const taken = { right, cut, wrong };
      [right, cut, wrong] = [0, 0, []];
      return taken;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function checkOnce(target: Target, turn: number): Promise<Outcome> {
  const ask = async (path: string, body?: object): Promise<{ status: number; body: Json }> => {
    const headers = { 'content-type': 'application/json' };
    const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${target.places.url}${path}`, { ...init, signal: AbortSignal.timeout(60_000) });
    return { status: answer.status, body: await answer.json() };
  };
  try {
    const address = await findContract(async (path) => (await ask(path)).body);
    const stdJsonInput = standardInput('Vault', (source) => `${source}\n// ${turn} ${Date.now()}\n`);
    const asked = { stdJsonInput, compilerVersion: compilerVersion.slice(1), contractIdentifier: 'Vault.sol:Vault' };
    const begun = await ask(`/v2/verify/298/${address}`, asked);
    if (begun.status === 429 || begun.status === 503) return 'refused';
    if (begun.status !== 202) return { wrong: `${begun.status} ${JSON.stringify(begun.body)}` };
    for (const until = performance.now() + doneWithinMs; performance.now() < until; await sleep(pollMs)) {
      const { status, body } = await ask(`/v2/verify/${begun.body.verificationId}`);
      // A check is forgotten with the process that made it.
      if (status === 404) return 'cut';
      // A server that is exchanged for another has no time for it.
      if (body.error?.customCode === 'too_many_jobs') return 'refused';
      if (body.isJobCompleted) return isRight(body) ? 'right' : { wrong: JSON.stringify(body) };
    }
    return { wrong: `not done after ${doneWithinMs / 1000} s` };
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return 'cut';
    return { wrong: (error as Error).message };
  }
}

/** The code is that of the source. The better of two matches is kept, and the first of equal ones. */
function isRight({ contract, error }: Json): boolean {
  return contract?.runtimeMatch === 'match' || error?.customCode === 'already_verified';
}

async function findContract(ask: (path: string) => Promise<Json>): Promise<string> {
  const code = runtimeCodeOf('Vault').toString('hex');
  const { contracts } = await ask('/api/v1/contracts?limit=100&order=asc');
  for (const { contract_id, evm_address } of contracts) {
    const { runtime_bytecode } = await ask(`/api/v1/contracts/${contract_id}`);
    if (runtime_bytecode === `0x${code}`) return evm_address;
  }
  throw new Error('The ledger has no Vault');
}
