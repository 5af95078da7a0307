// `POST /verify` and `POST /`: metadata and sources. `POST /verify/solc-json`: the compiler's input as one file.

import { isJsonObject } from '../../../kit/is-json-object.ts';
import { assembleSources, isComplete, list, toClaim, withAllSources } from '../../metadata/assemble-sources.ts';
import type { SolidityMetadata } from '../../metadata/solidity-metadata.ts';
import { type InputFile, sortFiles } from '../../metadata/sort-files.ts';
import { createSourcePool } from '../../metadata/source-pool.ts';
import { parseModestJson } from '../../terms/modest-json.ts';
import type { SourceClaim } from '../../terms/source-claim.ts';
import { VerificationError } from '../../terms/verification-error.ts';
import type { JsonAnswer } from '../add-route-table.ts';
import { optionalText, requireText } from '../read-body.ts';
import { readStandardInput } from '../read-sources-request.ts';
import { answerChecked, answerStored, toErrorBody } from './answer-checked.ts';
import { type NamedContract, readContract } from './read-contract.ts';
import type { Upload } from './read-upload.ts';
import type { V1RoutesOptions } from './v1-context.ts';

export async function verifyFiles(options: V1RoutesOptions, upload: Upload, client: string): Promise<JsonAnswer> {
  const contract = readContract(upload.members);
  const chosen = readChosen(upload.members.chosenContract);
  const stored = await answerPerfect(options, contract);
  if (stored) return stored;
  const { files } = upload;
  if (files === null || files.length === 0) {
    const message = "Couldn't extract files from the request. Please make sure you have added files";
    throw new VerificationError('not_found', message);
  }
  const { metadata, sources } = sortFiles(files);
  if (metadata.length === 0) {
    const message = `No valid Solidity metadata file found in the provided ${files.length} files. Please make sure you have added a valid metadata.json file.`;
    throw new VerificationError('invalid_parameter', message);
  }
  if (metadata.length > 1 && chosen === undefined) return askWhich(metadata);
  const one = metadata[chosen ?? 0];
  if (!one) {
    const message = `Chosen contract not found. Received chosenContract: ${chosen}`;
    throw new VerificationError('not_found', message);
  }
  const { claim, fallback } = await readClaim(one, sources);
  const checked = await options.verifySources.verify({ ...contract, claim, fallback, client, keep: true });
  return answerChecked(checked);
}

export async function verifySolcJson(options: V1RoutesOptions, upload: Upload, client: string): Promise<JsonAnswer> {
  const contract = readContract(upload.members);
  const compilerVersion = requireText(upload.members, 'compilerVersion');
  const name = requireText(upload.members, 'contractName');
  const stored = await answerPerfect(options, contract);
  if (stored) return stored;
  const { files } = upload;
  if (files === null) throw invalid('There should be files in the <files> field');
  const [file, ...others] = files;
  if (!file) throw invalid('No files found');
  if (others.length > 0) throw invalid('Only one Solidity JSON Input file at a time is allowed');
  const { language, ...input } = readStandardInput(parseFile(file));
  if (!Object.values(input.sources).some(({ content }) => content?.includes(name))) {
    throw invalid(`Couldn't find contract ${name.slice(0, 200)} in the provided Solidity JSON Input file.`);
  }
  // Without a path the compiler's output says where the contract is.
  const target = { path: '', name };
  const claim: SourceClaim = { language, compilerVersion, input: { language, ...input }, target };
  return answerChecked(await options.verifySources.verify({ ...contract, claim, client, keep: true }));
}

function parseFile({ path, content }: InputFile): Record<string, unknown> {
  const message = `Couldn't parse JSON ${path.slice(0, 200)}. Make sure the contents of the file are syntaxed correctly.`;
  try {
    const parsed = parseModestJson(content);
    if (isJsonObject(parsed)) return parsed;
  } catch (error) {
    throw new VerificationError('invalid_parameter', message, { cause: error });
  }
  throw invalid(message);
}

/** The claim of a contract's metadata, and the same with every source that came along. */
async function readClaim(metadata: SolidityMetadata, files: readonly InputFile[]) {
  const assembled = await assembleSources(metadata, createSourcePool(files));
  if (!isComplete(assembled)) {
    throw invalid(
      `Invalid or missing sources in ${metadata.target.name.slice(0, 200)}:\nMissing sources: ${list(Object.keys(assembled.missing))}\nInvalid sources: ${list(Object.keys(assembled.invalid))}`,
    );
  }
  const claim = toClaim(metadata, assembled);
  return { claim, fallback: withAllSources(claim, files) };
}

async function answerPerfect(
  { verifySources, lookup }: V1RoutesOptions,
  { chainId, address }: NamedContract,
): Promise<JsonAnswer | null> {
  const row = await verifySources.findPerfect(chainId, address);
  const details = row && (await lookup.details({ contract: row, similarTo: null }));
  return details && answerStored(row, { name: details.name, runtimeCode: details.onchainRuntimeCode });
}

function askWhich(metadata: readonly SolidityMetadata[]): JsonAnswer {
  const targets = metadata.slice(0, 1000).map(({ target: { name, path } }) => ({ name, path }));
  const names = list(targets.map(({ name }) => name));
  const message = `Detected ${metadata.length} contracts (${names}), but can only verify 1 at a time. Please choose a main contract and click Verify again.`;
  return { status: 400, body: toErrorBody(message, 'invalid_parameter', { contractsToChoose: targets }) };
}

/** An index, as text or number. */
function readChosen(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : optionalText({ chosenContract: value }, 'chosenContract')!;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw invalid('chosenContract must be the index of a contract');
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
