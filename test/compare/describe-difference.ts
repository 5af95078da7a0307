/** Both texts from shortly before the first difference on, and how they begin. */
export function describeDifference(before: string, after: string): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  // The tag of a body differs with the body.
  const body = before.lastIndexOf(']],"');
  for (let next = Math.max(at, body); before.length === after.length && next < before.length; next++) {
    if (before[next] !== after[next]) {
      at = next;
      break;
    }
  }
  const part = (text: string): string => `${text.slice(0, 6)}… ${text.slice(Math.max(0, at - 60), at + 300)}`;
  return `  before ${part(before)}\n  after  ${part(after)}`;
}
