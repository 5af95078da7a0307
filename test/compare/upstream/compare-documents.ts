// The API document of a checkout against ours. Operations that only we have are no finding where another path of ours
// is theirs.
import type { DocumentFacts, Operation } from './document-facts.ts';
import type { Finding } from './finding.ts';

const section = 'API document';

export function compareDocuments(theirs: DocumentFacts, ours: DocumentFacts): Finding[] {
  const names = [...new Set([...theirs.keys(), ...ours.keys()])].sort();
  return names.flatMap((subject): Finding[] => {
    const [there, here] = [theirs.get(subject), ours.get(subject)];
    if (!here) return [{ section, subject, side: 'only there', text: 'the operation' }];
    if (!there) return [{ section, subject, side: 'only here', text: 'the operation' }];
    return [...compareParameters(subject, there, here), ...compareMembers(subject, there, here)];
  });
}

function compareParameters(operation: string, there: Operation, here: Operation): Finding[] {
  return pairs(there.parameters, here.parameters).flatMap(([name, theirs, own]): Finding[] => {
    const subject = `${operation} ${name}`;
    if (!own) return [{ section, subject, side: 'only there', text: `${theirs!.words?.join(', ') ?? theirs!.type}` }];
    if (!theirs) return [{ section, subject, side: 'only here', text: `${own.words?.join(', ') ?? own.type}` }];
    if (!theirs.words) return [];
    if (!own.words) return [{ section, subject, side: 'otherwise', text: `one of ${theirs.words.join(', ')} there` }];
    const missing = theirs.words.filter((text) => !own.words!.includes(text));
    const added = own.words.filter((text) => !theirs.words!.includes(text));
    return [
      ...missing.map(
        (text): Finding => ({ section, subject: `${subject} ${text}`, side: 'only there', text: 'the word' }),
      ),
      ...added.map(
        (text): Finding => ({ section, subject: `${subject} ${text}`, side: 'only here', text: 'the word' }),
      ),
    ];
  });
}

function compareMembers(operation: string, there: Operation, here: Operation): Finding[] {
  // An answer that is no JSON, or not described.
  if (there.members.size === 0 || here.members.size === 0) return [];
  return pairs(there.members, here.members).flatMap(([name, theirs, own]): Finding[] => {
    const subject = `${operation} ${name}`;
    if (own === undefined) return [{ section, subject, side: 'only there', text: theirs! }];
    if (theirs === undefined) return [{ section, subject, side: 'only here', text: own }];
    if (theirs === own || theirs === 'any' || own === 'any') return [];
    return [{ section, subject, side: 'otherwise', text: `${theirs} there, ${own} here` }];
  });
}

function pairs<V>(
  there: ReadonlyMap<string, V>,
  here: ReadonlyMap<string, V>,
): [string, V | undefined, V | undefined][] {
  return [...new Set([...there.keys(), ...here.keys()])].sort().map((name) => [name, there.get(name), here.get(name)]);
}
