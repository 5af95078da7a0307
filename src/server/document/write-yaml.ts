// A large document as YAML, a part at a time: as one it takes the thread for a quarter of a second.
import { setImmediate } from 'node:timers/promises';
import { stringify } from 'yaml';

/** Members of these are parts; all others of the document are one each. */
const divided: ReadonlySet<string> = new Set(['paths']);

/** @param document what JSON can say */
export async function writeYaml(document: Readonly<Record<string, unknown>>): Promise<string> {
  const texts: string[] = [];
  for (const [name, value] of Object.entries(document)) {
    const parts = divided.has(name) ? Object.entries(value as object) : [];
    if (parts.length === 0) texts.push(stringify({ [name]: value }));
    else texts.push(`${name}:\n`);
    for (const [part, content] of parts) {
      texts.push(stringify({ [part]: content }).replaceAll(/^(?=.)/gm, '  '));
      await setImmediate();
    }
  }
  return texts.join('');
}
