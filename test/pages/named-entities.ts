// The entities of the demo's ledger that README, guides, examples and the API document name, and what each has to be there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { queryExamples } from '../../src/server/document/query-examples.ts';
import { guides, root } from './guide-commands.ts';

export type Kind = 'account' | 'contract' | 'schedule' | 'token' | 'topic';

export type NamedEntity = {
  /** E.g. `docs/guides/call-contracts.md:10`. */
  place: string;
  /** As it is written: `0.0.1018`, or an address. */
  text: string;
  id: bigint;
  /** null = nothing around it says what it is: any of them. */
  kind: Kind | null;
};

/** Below these are the network's own accounts and files, which every ledger has. */
export const firstUserEntity = 1001n;

const idPattern = /\b0\.0\.(\d{1,10})\b|\b0x([0-9a-f]{40})\b/gi;

/** What stands before an id, the last rule that fits counts. */
const before: readonly (readonly [RegExp, Kind | null])[] = [
  [/\b(?:accounts?|transactions?)\/$/i, 'account'],
  [/\baccount(?:\.id|:)?[= ](?:gte?:|lte?:|eq:)?'?$/i, 'account'],
  [/\b(?:from|payer)[=:"' ]+$/i, 'account'],
  [/\bcontracts?\/$/i, 'contract'],
  [/\b(?:to|address|contractaddresses)["']?[=:"' ]+$/i, 'contract'],
  [/\b(?:contract|contract verify)[=:"' ]+$/i, 'contract'],
  [/\bCoin` is `$/, 'contract'],
  [/\bschedules?[/=:"' ]+$/i, 'schedule'],
  [/\btokens?\/$/i, 'token'],
  [/\btoken(?:\.id)?[=:"' ]+(?:gte?:|lte?:|eq:)?$/i, 'token'],
  [/\btopics?\/$/i, 'topic'],
  [/\b(?:topic|setTopicId)[=:("' ]+$/i, 'topic'],
];

export function readNamedEntities(): NamedEntity[] {
  return [...listFiles().flatMap((file) => entitiesOf(file, readFileSync(join(root, file), 'utf8'))), ...ofDocument()];
}

function listFiles(): string[] {
  const inFolder = (folder: string, end: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(end) && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`);
  return [
    ...guides,
    ...inFolder('docs/reference', '.md'),
    ...inFolder('examples', '.mjs'),
    ...inFolder('clients', 'README.md'),
    ...inFolder('packages', 'README.md'),
  ];
}

function entitiesOf(file: string, content: string): NamedEntity[] {
  return content.split('\n').flatMap((line, at) =>
    // `0x…03fa` is said of an address whose left digits are zeros.
    [...line.replaceAll(/0x…([0-9a-f]+)/g, (_, digits: string) => `0x${digits.padStart(40, '0')}`).matchAll(idPattern)]
      .map((found) => toEntity(`${file}:${at + 1}`, found))
      .filter(({ id }) => id >= firstUserEntity),
  );
}

function toEntity(place: string, { 0: text, 1: num, 2: address, index, input }: RegExpExecArray): NamedEntity {
  const left = input.slice(0, index);
  const kind = before.findLast(([pattern]) => pattern.test(left))?.[1] ?? null;
  return { place, text, id: BigInt(num ?? `0x${address}`), kind };
}

/** The kind of a parameter is that of its example. */
function ofDocument(): NamedEntity[] {
  const kinds: readonly Kind[] = ['account', 'contract', 'schedule', 'token'];
  return kinds.map((kind) => {
    const text = queryExamples[kind]!;
    return { place: `the API document's example of ${kind}`, text, id: BigInt(text.split('.')[2]!), kind };
  });
}
