// The operator's list of chains, YAML or JSON. Every mistake is reported with its place in the file; keys are in
// environment variables, not in the file.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type BytecodeSource, type Chain, type Explorer, explorerKinds } from './chain-registry.ts';
import { describeExplorer } from './describe-explorer.ts';

/** Throws an Error that names file, place and what is expected there. */
export function readChainFile(path: string, env: NodeJS.ProcessEnv): Chain[] {
  const read = createReader(path);
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8'), { maxAliasCount: 10 });
  } catch (error) {
    throw new Error(`The list of chains ${path} cannot be read: ${(error as Error).message}`);
  }
  const chains = read.object(read.object(content, 'the file', ['chains']).chains, 'chains');
  return Object.entries(chains).map(([chainId, said]) => {
    const place = `chains.${chainId}`;
    if (!/^[1-9]\d{0,18}$/.test(chainId)) throw read.mistake(place, 'a decimal chain id', chainId);
    const chain = read.object(said, place, ['name', 'bytecode', 'explorers']);
    return {
      chainId,
      name: chain.name === undefined ? `Chain ${chainId}` : read.text(chain.name, `${place}.name`),
      bytecode: toBytecodeSource(chain.bytecode, `${place}.bytecode`),
      explorers: read
        .list(chain.explorers ?? [], `${place}.explorers`)
        .map((explorer, i) => toExplorer(explorer, `${place}.explorers[${i}]`)),
    };
  });

  function toBytecodeSource(said: unknown, place: string): BytecodeSource {
    if (said === 'ledger') return { kind: 'ledger' };
    const { rpc, timeoutMs } = read.object(said, place, ['rpc', 'timeoutMs']);
    const urls = read
      .list(typeof rpc === 'string' ? [rpc] : rpc, `${place}.rpc`)
      .map((url) => read.url(url, `${place}.rpc`));
    if (urls.length === 0) throw read.mistake(`${place}.rpc`, 'at least one address', 'none');
    return {
      kind: 'rpc',
      urls,
      timeoutMs: timeoutMs === undefined ? 10_000 : read.number(timeoutMs, `${place}.timeoutMs`),
    };
  }

  function toExplorer(said: unknown, place: string): Explorer {
    const members = ['kind', 'url', 'path', 'name', 'keyEnv', 'ratePerSec', 'timeoutMs', 'recordBytes'];
    const explorer = read.object(said, place, members);
    const kind = explorerKinds.find((known) => known === explorer.kind);
    if (!kind) throw read.mistake(`${place}.kind`, `one of ${explorerKinds.join(', ')}`, explorer.kind);
    const optional = <T>(name: string, parse: (value: unknown, place: string) => T): T | undefined =>
      explorer[name] === undefined ? undefined : parse(explorer[name], `${place}.${name}`);
    const keyName = optional('keyEnv', read.text);
    return describeExplorer({
      kind,
      location: kind === 'folder' ? read.text(explorer.path, `${place}.path`) : read.url(explorer.url, `${place}.url`),
      name: optional('name', read.text),
      key: keyName === undefined ? undefined : env[keyName],
      ratePerSecond: optional('ratePerSec', read.number),
      timeoutMs: optional('timeoutMs', read.number),
      recordBytes: optional('recordBytes', read.number),
    });
  }
}

function createReader(path: string) {
  const mistake = (place: string, expected: string, found: unknown): Error =>
    new Error(`${path}: ${place} must be ${expected}, not ${JSON.stringify(found) ?? 'missing'}`);
  return {
    mistake,
    object(value: unknown, place: string, members?: readonly string[]): Record<string, unknown> {
      if (value === null || typeof value !== 'object' || Array.isArray(value)) throw mistake(place, 'a mapping', value);
      const unknown = members && Object.keys(value).find((name) => !members.includes(name));
      if (unknown !== undefined)
        throw new Error(`${path}: ${place} has no member "${unknown}"; it has ${members!.join(', ')}`);
      return value as Record<string, unknown>;
    },
    list(value: unknown, place: string): unknown[] {
      if (!Array.isArray(value)) throw mistake(place, 'a list', value);
      return value;
    },
    text(value: unknown, place: string): string {
      if (typeof value !== 'string' || value === '') throw mistake(place, 'a text', value);
      return value;
    },
    number(value: unknown, place: string): number {
      if (typeof value !== 'number' || !(value > 0)) throw mistake(place, 'a number above 0', value);
      return value;
    },
    url(value: unknown, place: string): string {
      if (typeof value !== 'string' || !/^https?:\/\//.test(value) || !URL.canParse(value)) {
        throw mistake(place, 'an address that begins with http:// or https://', value);
      }
      return value;
    },
  };
}
