// What a contract was compiled with, and how that was checked.

import type { Abi } from '../../../../packages/abi/abi.ts';
import { toChecksumAddress } from '../../../../packages/abi/checksum-address.ts';
import { decodeCreation } from '../../../../packages/abi/decode-call.ts';
import { isJsonObject } from '../../../../packages/kit/is-json-object.ts';
import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import type { FoundContract } from '../../../../packages/verification/contract-lookup.ts';
import type { ImmutableName } from '../../../../packages/verification/layout/name-immutables.ts';
import type { VerifiedCompilationRow } from '../../../../packages/verification/store/select-verified-sources.ts';
import { toHex } from '../../../../packages/verification/terms/hex.ts';
import type { Links } from '../../page/links.ts';
import { hexBytes } from '../../parts/bytes.ts';
import { decodedValues } from '../../parts/decoded-call.ts';
import { type Fact, facts } from '../../parts/facts.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { byAddress } from '../about/contract-heading.ts';
import { readImmutables, showImmutables } from './immutables.ts';
import { creationWords, runtimeWords } from './match-words.ts';

const maxLibraries = 20;
const maxArguments = 1024;

export function sourceFacts(
  { contract, similarTo }: FoundContract,
  compilation: VerifiedCompilationRow,
  { abi, immutables, links }: { abi: Abi | null; immutables: ReadonlyMap<string, ImmutableName>; links: Links },
): Markup {
  const settings = toObject(compilation.settings);
  const day = contract.verifiedAt.toISOString();
  const list: Fact[] = [
    ['How sure it is', html`${runtimeWords(contract.runtimeMatch)} ${creationWords(contract.creationMatch)}`],
    [
      'Checked as',
      similarTo === null
        ? null
        : html`${byAddress(toChecksumAddress(toHex(similarTo.address)), links)}, which has the same code`,
    ],
    ['Sources from', origins[contract.origin]],
    ['Contract', foreignText(compilation.fullyQualifiedName, { max: 200 })],
    ['Compiler', foreignText(`${compilation.compiler} ${compilation.version}`, { max: 80 })],
    ['Language', foreignText(compilation.language, { max: 40 })],
    ['Optimiser', settings === null ? null : optimizerWords(settings)],
    [
      'EVM version',
      settings === null ? null : foreignText(String(settings.evmVersion ?? 'the default of the compiler'), { max: 40 }),
    ],
    ['Libraries', libraries(settings, compilation)],
    ['Arguments of the constructor', similarTo === null ? constructorArguments(compilation, abi) : null],
    ['Immutables', showImmutables(readImmutables(toObject(compilation.runtimeValues), immutables))],
    ['Checked', html`<time datetime="${day}">${day.slice(0, 10)} ${day.slice(11, 19)}</time>`],
  ];
  return facts(list);
}

/** Where the sources are from. In each case they were compiled and compared. */
const origins: Record<FoundContract['contract']['origin'], string> = {
  explorer: 'the record of an explorer',
  request: 'a request: somebody handed them in',
  import: 'the export of another verifier',
  similar:
    'a verified contract with similar code: it differs in what constructors fill in, or in the hash of the sources',
  compiled_along: 'a verified contract that was compiled along with this one, as a factory with what it makes',
};

function optimizerWords({ optimizer, viaIR }: Record<string, unknown>): MarkupValue {
  const ir = viaIR === true ? ', by way of Yul (viaIR)' : '';
  if (typeof optimizer === 'string') return foreignText(optimizer, { max: 40 });
  if (!isJsonObject(optimizer) || optimizer.enabled !== true) return `off${ir}`;
  return typeof optimizer.runs === 'number' ? `on, for ${optimizer.runs} runs${ir}` : `on${ir}`;
}

/** Settings name them by file, what was linked on the ledger by place. */
function libraries(settings: Record<string, unknown> | null, { runtimeValues }: VerifiedCompilationRow): MarkupValue {
  const named = new Map<string, string>();
  const add = (name: string, address: unknown): void => {
    if (typeof address === 'string') named.set(name, address);
  };
  const byFile = isJsonObject(settings?.libraries) ? settings.libraries : {};
  for (const [file, inFile] of Object.entries(byFile)) {
    if (!isJsonObject(inFile)) add(file, inFile);
    else for (const [name, address] of Object.entries(inFile)) add(file === '' ? name : `${file}:${name}`, address);
  }
  const values = toObject(runtimeValues);
  if (isJsonObject(values?.libraries))
    for (const [name, address] of Object.entries(values.libraries)) add(name, address);
  if (named.size === 0) return null;
  const shown = [...named].slice(0, maxLibraries);
  const left = named.size - shown.length;
  return html`<ul>${shown.map(([name, address]) => html`<li>${foreignText(name, { max: 120 })} <code>${foreignText(address, { max: 44 })}</code></li>`)}${left > 0 ? html`<li class="faint">&hellip; ${left} more</li>` : null}</ul>`;
}

function constructorArguments({ creationValues }: VerifiedCompilationRow, abi: Abi | null): MarkupValue {
  const given = toObject(creationValues)?.constructorArguments;
  if (typeof given !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(given)) return null;
  const bytes = Buffer.from(given.slice(2), 'hex');
  const decoded = abi === null ? null : decodeCreation(abi, bytes);
  const raw = hexBytes(bytes, { max: maxArguments });
  return decoded === null ? raw : html`${decodedValues(decoded.arguments, 'Arguments of the constructor')}${raw}`;
}

/** null = longer than is read, or no object. */
function toObject(json: string | null): Record<string, unknown> | null {
  const value: unknown = json === null ? null : JSON.parse(json);
  return isJsonObject(value) ? value : null;
}
