// The actions of Etherscan's module `contract`: what was verified, how contracts were created, and verification by the
// same jobs as every other route. Sentences are those that clients compare.
import { unknownChain } from '../registry/chain-registry.ts';
import { VerificationError } from '../terms/verification-error.ts';
import { type EtherscanAnswer, notVerified, refused, succeeded } from './etherscan-envelope.ts';
import { formatAbi, formatEtherscanRecord, formatUnverifiedRecord } from './etherscan-record-body.ts';
import { chainIdOf, type EtherscanCall, findPlace } from './find-place.ts';
import { formatCreation } from './format-creation.ts';
import { checkProxy, readProxy } from './proxy-check.ts';
import { readSubmittedSources } from './read-submitted-sources.ts';

type Action = (call: EtherscanCall) => Promise<EtherscanAnswer>;

const actions: Readonly<Record<string, Action>> = {
  getabi: showAbi,
  getsourcecode: showSources,
  getcontractcreation: showCreations,
  verifysourcecode: startCheck,
  checkverifystatus: showCheck,
  verifyproxycontract: readProxy,
  checkproxyverification: checkProxy,
};

/** Throws a VerificationError for what it refuses. */
export function runAction(call: EtherscanCall): Promise<EtherscanAnswer> {
  const { members } = call;
  if (members.get('module')?.toLowerCase() !== 'contract') throw invalid('Error! Missing Or invalid Module name');
  const name = members.get('action')?.toLowerCase() ?? '';
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw invalid('Error! Missing Or invalid Action name');
  return action(call);
}

async function findVerified(call: EtherscanCall) {
  const { lookup } = call.options;
  const { chain, address } = findPlace(call, 'address');
  const found = await lookup.find(chain, address);
  const details = found && (await lookup.details(found));
  return details && { chain, address, found, details };
}

async function showAbi(call: EtherscanCall): Promise<EtherscanAnswer> {
  const verified = await findVerified(call);
  return verified ? succeeded(formatAbi(verified.details)) : refused(notVerified);
}

async function showSources(call: EtherscanCall): Promise<EtherscanAnswer> {
  const verified = await findVerified(call);
  if (!verified) return succeeded([formatUnverifiedRecord()]);
  const { chain, address, found, details } = verified;
  // Sources are shown also while the chain cannot be asked.
  const proxy = await call.options.lookup.proxy(chain, address).catch((error: unknown) => {
    if (error instanceof VerificationError) return null;
    throw error;
  });
  return succeeded([formatEtherscanRecord(found, details, proxy?.implementations[0] ?? null)]);
}

const maxCreations = 5;

async function showCreations(call: EtherscanCall): Promise<EtherscanAnswer> {
  const { members, options } = call;
  const texts = (members.get('contractaddresses') ?? '').split(',', maxCreations + 1).filter((text) => text.trim());
  if (texts.length === 0) throw invalid('Error! Missing contractaddresses');
  if (texts.length > maxCreations) throw invalid(`Error! More than ${maxCreations} addresses in contractaddresses`);
  // All are judged before the first is looked for.
  const places = texts.map((text) => findPlace({ ...call, members: new Map([...members, ['one', text]]) }, 'one'));
  const creations = [];
  for (const { chain, address } of places) {
    const creation = await formatCreation(options.lookup, chain, address);
    if (creation) creations.push(creation);
  }
  return creations.length > 0 ? succeeded(creations) : refused(null, 'No data found');
}

async function startCheck(call: EtherscanCall): Promise<EtherscanAnswer> {
  const { members, client, options, isSent } = call;
  // A link of any page is a GET.
  if (!isSent) throw invalid('Error! verifysourcecode must be sent with POST');
  const { chain, address } = findPlace(call, 'contractaddress');
  const claim = readSubmittedSources(members);
  const onchain = await options.lookup.onchain(chain, address);
  if (onchain.kind === 'none') return refused(`Unable to locate ContractCode at ${address}`);
  return succeeded(await options.jobs.checkSources({ chainId: chain.chainId, address, claim, client }));
}

async function showCheck({ members, options }: EtherscanCall): Promise<EtherscanAnswer> {
  const chainId = chainIdOf(members, options);
  if (!options.registry.find(chainId)) throw unknownChain(chainId);
  const guid = (members.get('guid') ?? '').trim().toLowerCase();
  const job = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(guid) ? await options.jobs.find(guid) : null;
  if (!job) return refused('Unknown UID');
  if (job.finishedAt === null) return refused('Pending in queue');
  if (job.outcome) return succeeded('Pass - Verified');
  const { customCode, message } = job.error!;
  if (customCode === 'already_verified') return refused('Already Verified');
  // Hardhat 2 sends the whole input of the build after the bare sentence only, which is what this outcome needs.
  const why = customCode === 'extra_file_input_bug' ? '' : `. ${message}`;
  return refused(`Fail - Unable to verify${why}`);
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
