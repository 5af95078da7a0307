// `/{network}/contract/:contractId/abi`: what a contract understands, and questions to it.

import { listFunctions } from '../../../../packages/abi/list-functions.ts';
import { html, joinMarkup, type Markup } from '../../../../packages/kit/markup.ts';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import type { ContractAbi } from '../../../contracts/abi/create-contract-abis.ts';
import { link } from '../../page/links.ts';
import type { Page, PageContent, PageRequest } from '../../page/page.ts';
import type { PageContext } from '../../page/page-context.ts';
import { contractHeading } from '../about/contract-heading.ts';
import { contractName, contractPath, findContract, type ShownContract } from '../about/find-contract.ts';
import { abiLists } from './abi-lists.ts';
import { answerSection } from './answer-section.ts';
import { askFunction, type FunctionQuestion } from './ask-function.ts';
import { isRead } from './function-form.ts';

export const abiPage: Page = {
  path: '/contract/:contractId/abi',
  async ask(request, context) {
    const shown = await findContract(context, request);
    return shown.abi === null ? withoutAbi(shown, context) : showAbi(shown, shown.abi, request, context);
  },
};

function withoutAbi(shown: ShownContract, context: PageContext): PageContent {
  const path = contractPath(context, shown);
  return {
    title: `Functions of contract ${contractName(shown)}`,
    main: html`${contractHeading(shown, 'abi', context.links)}
<div class="card"><p>What this contract can be asked is not known: nobody has shown its sources here.</p>
<p>${link(`${path}/source`, 'Verify it')}, and its functions, events and errors get their names.</p></div>`,
    json: null,
  };
}

async function showAbi(
  shown: ShownContract,
  known: ContractAbi,
  request: PageRequest,
  context: PageContext,
): Promise<PageContent> {
  const { abi, own, proxy } = known;
  const path = `${contractPath(context, shown)}/abi`;
  const question = readQuestion(known, request);
  const asked = question && (await answerQuestion(shown, known, question, path, context));
  const selectors = proxy && own ? new Set(own.abi.functions.map(({ selector }) => selector)) : null;
  return {
    title: `Functions of contract ${contractName(shown)}`,
    main: html`${contractHeading(shown, 'abi', context.links)}
${asked?.main ?? null}
${joinMarkup(abiLists({ path, abi, own: selectors }, request), '\n')}`,
    json: context.sources && `/v2/contract/${context.sources.chainId}/${shown.address}?fields=abi`,
    ...(asked?.status === undefined ? {} : { status: asked.status }),
  };
}

/** null = nothing is asked. Throws RequestError. */
function readQuestion({ abi }: ContractAbi, { queryText }: PageRequest): FunctionQuestion | null {
  const query = new URLSearchParams(queryText);
  const selector = query.get('function');
  if (selector === null) return null;
  const called = abi.functions.find((entry) => isRead(entry) && `0x${entry.selector}` === selector.toLowerCase());
  if (called === undefined) throw refuse('invalidParameter', { name: 'function' });
  return { called, texts: query.getAll('argument'), block: query.get('block') ?? '' };
}

async function answerQuestion(
  { address }: ShownContract,
  { abi }: ContractAbi,
  question: FunctionQuestion,
  path: string,
  context: PageContext,
): Promise<{ main: Markup; status?: number }> {
  const { called, texts } = question;
  const [listed] = listFunctions({ functions: [called] });
  const isForm = texts.length === 0 && called.inputs.length > 0;
  const answer = isForm ? null : await askFunction(context, address, abi, question);
  return {
    main: answerSection({ path, abi, listed: listed!, question, answer }),
    ...(answer?.kind === 'refused' ? { status: answer.status } : {}),
  };
}
