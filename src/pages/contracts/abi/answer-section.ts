// The answer of a function, as its ABI reads it.

import type { Abi } from '../../../../packages/abi/abi.ts';
import { decodeOutput } from '../../../../packages/abi/decode-call.ts';
import type { ListedFunction } from '../../../../packages/abi/list-functions.ts';
import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { badge } from '../../parts/badge.ts';
import { hexBytes } from '../../parts/bytes.ts';
import { decodedValues } from '../../parts/decoded-call.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { revertWords } from '../../parts/revert-words.ts';
import { section } from '../../parts/section.ts';
import type { FunctionAnswer, FunctionQuestion } from './ask-function.ts';
import { functionForm } from './function-form.ts';

const maxSignature = 160;
const maxRaw = 1536;

type AnswerParts = {
  path: string;
  abi: Abi;
  listed: ListedFunction;
  question: FunctionQuestion;
  /** null = not all arguments were given. */
  answer: FunctionAnswer | null;
};

export function answerSection({ path, abi, listed, question, answer }: AnswerParts): Markup {
  const name = html`<code>${foreignText(listed.signature, { max: maxSignature })}</code>`;
  return section(
    { id: 'answer', title: html`Ask ${name}` },
    html`${functionForm(path, listed, question)}
${answer === null ? null : html`<h3>Answer</h3>\n${showAnswer(answer, abi, question)}`}`,
  );
}

function showAnswer(answer: FunctionAnswer, abi: Abi, { called, block }: FunctionQuestion): MarkupValue {
  if (answer.kind === 'refused') return html`<p class="notice">${foreignText(answer.sentence, { max: 400 })}</p>`;
  const { output } = answer;
  const raw =
    output.length === 0 ? null : html`<p class="faint">As it came:</p>${hexBytes(output, { folded: 0, max: maxRaw })}`;
  const when = block.trim() === '' ? null : html`<p class="faint">After block ${foreignText(block, { max: 100 })}.</p>`;
  if (answer.kind === 'failed') {
    const words = revertWords(abi, output);
    return html`<p>${badge('bad', answer.status.toLowerCase().replaceAll('_', ' '))}</p>${words === null ? null : html`<div>${words}</div>`}${when}${raw}`;
  }
  if (called.outputs.length === 0) return html`<p>It returned nothing, as it should.</p>${when}`;
  const values = decodeOutput(called, output);
  return html`${values === null ? html`<p class="notice">This is not what the ABI says that it returns.</p>` : decodedValues(values, 'Answer')}${when}${raw}`;
}
