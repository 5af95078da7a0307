// `/{network}/contract/:contractId/bytecode`: the code that runs, the code that created it, and both as opcodes.

import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { keccak256 } from '../../../../packages/protocol/keccak256.ts';
import { disassemble } from '../../../calls/disassemble.ts';
import { getContract } from '../../../resources/contracts/get-contract.ts';
import { pathOfJson } from '../../lists/list-page.ts';
import type { Page, PageContent, PageRequest } from '../../page/page.ts';
import type { PageContext } from '../../page/page-context.ts';
import { formatCount } from '../../parts/amounts.ts';
import { code, hexBytes } from '../../parts/bytes.ts';
import { facts } from '../../parts/facts.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { windowStart } from '../../parts/list-window.ts';
import { section } from '../../parts/section.ts';
import { table } from '../../parts/table.ts';
import { contractHeading } from '../about/contract-heading.ts';
import { contractName, findWithCode, toShown } from '../about/find-contract.ts';

const maxHex = 6_000;
const instructionsShown = 100;

export const bytecodePage: Page = {
  path: '/contract/:contractId/bytecode',
  ask: (request, context) => context.snapshot((own) => showBytecode(request, own)),
};

async function showBytecode(request: PageRequest, context: PageContext): Promise<PageContent> {
  const contract = await findWithCode(context, request);
  const shown = await toShown(context, contract);
  const name = contractName(shown);
  const runtime = toBuffer(contract.runtimeBytecode);
  const json = pathOfJson(getContract, { contractIdOrAddress: name });
  const beside = html`<a href="${json}">All of it as JSON</a>`;
  return {
    title: `Bytecode of contract ${name}`,
    main: html`${contractHeading(shown, 'bytecode', context.links)}
${section({ id: 'runtime', title: 'Code that runs', beside }, codePart(runtime))}
${section({ id: 'creation', title: 'Code that created it', beside }, creationPart(contract.bytecode))}
${section({ id: 'opcodes', title: 'Opcodes of the code that runs' }, opcodesPart(runtime, request))}`,
    json,
  };
}

function toBuffer(bytes: Uint8Array | null): Buffer {
  return bytes === null ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function codePart(bytes: Buffer): Markup {
  if (bytes.length === 0) return html`<p class="none">It is not known.</p>`;
  return html`${facts([
    ['Size', `${formatCount(bytes.length)} bytes`],
    ['Keccak-256', code(`0x${keccak256(bytes).toString('hex')}`)],
  ])}
${hexBytes(bytes, { max: maxHex })}`;
}

/** Of a file it is text, which need not be hex. */
function creationPart(stored: string | Uint8Array | null): MarkupValue {
  if (typeof stored !== 'string') return codePart(toBuffer(stored));
  const digits = stored.replace(/^0x/, '').trim();
  const bytes = Buffer.from(digits, 'hex');
  if (bytes.length * 2 === digits.length) return codePart(bytes);
  return html`<p>Its file is no hex:</p><p>${foreignText(stored, { max: 1000 })}</p>`;
}

function opcodesPart(bytes: Buffer, { path, queryText }: PageRequest): Markup {
  const from = windowStart(queryText, 'opcode');
  const { instructions, next } = disassemble(bytes, { from, limit: instructionsShown });
  const rows = table(
    [
      {
        name: 'Position',
        narrow: 'start',
        isNumber: true,
        show: ({ at }) => html`<code>${at.toString(16).padStart(4, '0')}</code>`,
      },
      { name: 'Opcode', narrow: 'start', show: ({ name }) => html`<code>${name}</code>` },
      {
        name: 'Pushes',
        narrow: 'start',
        show: ({ operand }) => (operand === null ? null : html`<code>0x${operand.toString('hex')}</code>`),
      },
    ],
    instructions,
    { caption: 'Opcodes', none: bytes.length === 0 ? 'The code is not known.' : 'The code ends before.' },
  );
  if (from === 0 && next === null) return rows;
  const first = from === 0 ? null : html`<a href="${`${path}#opcodes`}">First opcodes</a>`;
  const further =
    next === null ? null : html`<a href="${`${path}?opcode=${next}#opcodes`}" rel="next">Next opcodes</a>`;
  return html`${rows}<nav class="pager" aria-label="Parts of the list of opcodes">${first}${further}</nav>`;
}
