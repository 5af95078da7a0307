/** A count with its noun as a sentence needs it: `1 block`, `2,161 blocks`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
