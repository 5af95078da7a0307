// CPU of a million gas of each precompile.
import { pathToFileURL } from 'node:url';
import { median } from './median.ts';
import { type PrecompileCase, precompileCases } from './precompile-cases.ts';

type Entry = { gas(data: Uint8Array): number; run(data: Uint8Array, look: () => void): Uint8Array | null };
type Table = { precompilesOf(fork: 'prague'): ReadonlyMap<bigint, Entry> };

const gasOfRound = 1_000_000;

/** `before`: folder of another checkout, measured in turn with this one; its answers must be equal. */
export async function timePrecompiles(rounds: number, before?: string): Promise<Record<string, string | number>[]> {
  const read = async (root: URL) =>
    ((await import(new URL('packages/machine/precompiles/table.ts', root).href)) as Table).precompilesOf('prague');
  const own = await read(new URL('../../', import.meta.url));
  const other = before === undefined ? null : await read(pathToFileURL(`${before}/`));
  return precompileCases.map((one) => {
    const tables = other ? [other, own] : [own];
    const taken = tables.map(() => [] as number[]);
    const answers = tables.map((table) => answerOf(one, table));
    if (new Set(answers).size > 1) throw new Error(`${one.name}: the answers differ`);
    for (let round = 0; round < rounds; round++) {
      for (const [place, table] of tables.entries()) taken[place]!.push(timeOf(one, table));
    }
    const [last, first] = [median(taken.at(-1)!), median(taken[0]!)];
    const beside: Record<string, string> = other
      ? { 'before (ms/Mgas)': first.toFixed(1), ratio: (first / last).toFixed(1) }
      : {};
    return { precompile: one.name, 'now (ms/Mgas)': last.toFixed(1), ...beside };
  });
}

function answerOf({ address, data }: PrecompileCase, table: ReadonlyMap<bigint, Entry>): string {
  const { gas, run } = table.get(BigInt(address))!;
  const output = run(data, () => {});
  return `${gas(data)} ${output === null ? null : Buffer.from(output).toString('hex')}`;
}

/** As the machine looks at the time. */
const look = (): void => void performance.now();

/** ms for a million gas; a call of its own costs 100. */
function timeOf({ address, data }: PrecompileCase, table: ReadonlyMap<bigint, Entry>): number {
  const { gas, run } = table.get(BigInt(address))!;
  const price = gas(data) + 100;
  const times = Math.max(1, Math.round(gasOfRound / price));
  const before = process.cpuUsage();
  for (let count = 0; count < times; count++) run(data, look);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times / (price / 1_000_000);
}
