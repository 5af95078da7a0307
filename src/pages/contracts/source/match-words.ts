// How sure it is that sources are those of a contract, in words.
type Match = 'perfect' | 'partial' | null;

export function runtimeWords(match: Match): string {
  if (match === 'perfect')
    return 'The code that runs is what the compiler makes of these sources, to the byte, with the hash of every file.';
  if (match === 'partial') {
    return 'The code that runs does what these sources say. The hash of the files in it is another: comments, names or paths may differ.';
  }
  return 'The code that runs was not compared: it is not known, or did not match.';
}

export function creationWords(match: Match): string {
  if (match === 'perfect') return 'So is the code that created it.';
  if (match === 'partial') return 'So does the code that created it.';
  return 'The code that created it was not compared: it is not known, or did not match.';
}
