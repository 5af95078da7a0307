// The commands that README and guides tell people to type: those in blocks, and those in the text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export type GuideCommand = {
  /** E.g. `docs/guides/operate.md:11`. */
  place: string;
  /** One line, as a shell takes it; without comments. */
  text: string;
  /** It stands in a block, or in a sentence. */
  isBlock: boolean;
};

export const guides = ['README.md', 'CONTRIBUTING.md', 'RELEASING.md', 'SECURITY.md', ...listGuides()];

function listGuides(): string[] {
  return readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`);
}

export function readGuideCommands(): GuideCommand[] {
  return guides.flatMap((file) => commandsOf(file, readFileSync(join(root, file), 'utf8')));
}

/** What a command of a sentence begins with, after variables. */
const programs = 'node|npm|npx|docker|git|curl|forge|pg_dump|systemctl|useradd|ledger-mirror';
const inText = new RegExp(`^(?:[A-Z_]+=\\S* )*(?:${programs}) \\S`);

function commandsOf(file: string, content: string): GuideCommand[] {
  const found: GuideCommand[] = [];
  // Blocks of another language (js, json, yaml, html) are no commands.
  const blocks = /^```(\w*)\n([\s\S]*?)^```$/gm;
  for (const { 1: language, 2: body, index } of content.matchAll(blocks)) {
    if (language !== '' && language !== 'sh') continue;
    const first = lineOf(content, index) + 1;
    for (const [text, line] of joinLines(body!)) found.push({ place: `${file}:${first + line}`, text, isBlock: true });
  }
  const text = content.replaceAll(blocks, (block) => block.replaceAll(/[^\n]/g, ' '));
  for (const { 1: code, index } of text.matchAll(/`([^`]+)`/g)) {
    const command = code!.replaceAll(/\s+/g, ' ');
    if (inText.test(command)) found.push({ place: `${file}:${lineOf(text, index)}`, text: command, isBlock: false });
  }
  return found;
}

function lineOf(content: string, index: number): number {
  return content.slice(0, index).split('\n').length;
}

/** Commands with the number of their first line. */
function joinLines(body: string): [string, number][] {
  const commands: [string, number][] = [];
  let begun: [string, number] | null = null;
  for (const [number, line] of body.split('\n').entries()) {
    const part: string = line.replace(/\s+# .*$/, '').trim();
    const [text, first]: [string, number] = begun ? [`${begun[0]} ${part}`, begun[1]] : [part, number];
    begun = text.endsWith('\\') ? [text.slice(0, -1).trim(), first] : null;
    if (begun === null && text !== '') commands.push([text, first]);
  }
  return commands;
}

/** Words as a POSIX shell takes them from the line; throws where it would see more than one plain command. */
export function toWords(text: string): string[] {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [whole, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|([^\s"'`$|;&<>()]+))/.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`A shell does not take this as a word: ${rest}`);
    const part = double ?? single ?? plain!;
    const isContinued = words.length > 0 && text.slice(0, text.length - rest.length).match(/\S$/) !== null;
    if (isContinued) words[words.length - 1] += part;
    else words.push(part);
    rest = rest.slice(whole.length);
    if (/^\s/.test(rest)) rest = rest.trimStart();
  }
  return words;
}

/** What a reader puts in the place of `<name>`. Throws for a name that is not known, and for what cannot be typed. */
export function fillPlaceholders(text: string, values: Record<string, string>): string {
  if (/…|\[[^\]]*…?\]/.test(text.replaceAll(/'[^']*'/g, ''))) throw new Error(`"${text}" cannot be typed as it is`);
  return text.replaceAll(/<([^<>]+)>/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nobody knows what to type for ${whole}`);
    return value;
  });
}
