/** Breaks prose into lines of at most `width` characters behind an indent; a word that is longer stands alone. */
export function wrapText(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + longer.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  if (line !== '') lines.push(indent + line);
  return lines.join('\n');
}
