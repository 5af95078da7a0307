// The compiler's standard JSON input, as any tool wrote it.
import { isJsonObject } from '../../../packages/kit/is-json-object.ts';
import type { UsageError } from '../../runtime/settings/usage-error.ts';
import type { StandardInput } from './build-contract.ts';
import { wrongFile } from './read-json-file.ts';

const expected = "the compiler's standard JSON input, with language, settings and the text of every source";

/** What matters of it; `file` and `member` say where it stands. Throws a UsageError if something is missing. */
export function toStandardInput(input: unknown, file: string, member = ''): StandardInput {
  const wrong = (found: string): UsageError => wrongFile(file, expected, `${member && `in ${member} `}${found}`);
  if (!isJsonObject(input)) throw wrong('there is no object');
  if (!isJsonObject(input.sources)) throw wrong('there are no "sources"');
  const { language = 'Solidity', settings = {} } = input;
  if (typeof language !== 'string') throw wrong('"language" is not a text');
  if (!isJsonObject(settings)) throw wrong('"settings" is not an object');
  const sources = Object.entries(input.sources).map(([path, source]) => {
    const content = isJsonObject(source) ? source.content : undefined;
    if (typeof content !== 'string') throw wrong(`the source ${JSON.stringify(path.slice(0, 200))} has no "content"`);
    return [path, { content }];
  });
  if (sources.length === 0) throw wrong('"sources" is empty');
  // What to show of the result does not change it, and the mirror chooses it itself.
  const { outputSelection: _, ...rest } = settings;
  return { language, sources: Object.fromEntries(sources), settings: rest };
}
