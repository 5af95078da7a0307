// Texts that an attacker may write into a ledger, to be shown by pages.

const payloads: readonly string[] = [
  '<script>document.title="taken"</script>',
  '</title><script>document.title="taken"</script>',
  '"><img src=x onerror=document.title="taken">',
  "' onmouseover='document.title=1' x='",
  '<svg/onload=document.title="taken">',
  '<iframe src="https://evil.example/"></iframe>',
  '<a href="javascript:document.title=1">win</a>',
  'javascript:document.title="taken"',
  'data:text/html,<script>document.title="taken"</script>',
  'https://evil.example/"onclick="document.title=1',
  'https://bank.example@evil.example/',
  'ipfs://../../../etc/passwd',
  '//evil.example/x.js',
  '<!-- --><style>*{display:none}</style>',
  '</pre></main></body></html><h1>Balance: 1,000,000 ℏ</h1>',
  ']]><x/>',
  '&lt;b&gt;&#60;i&#62;&amp;',
  '{{constructor.constructor("document.title=1")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: some programs would run it
  '${document.title}',
  '\u202Egnp.exe',
  '\u2066hidden\u2069\u200Fturn',
  'pay\u200Bpal\u00AD\uFEFF',
  `tags\u{E0068}\u{E0069}`,
  `Z\u0301${'\u0302'.repeat(200)}`,
  'line\u2028separator\u2029here',
  '\u001b[31mred\u0007\u0008',
  '=HYPERLINK("https://evil.example/","win")',
  '+cmd|" /C calc"!A0',
  '__proto__',
  'constructor',
  'a'.repeat(5000),
  'ﷺ'.repeat(400),
  '{"image":"javascript:document.title=1","name":"<b>x</b>","uri":"https://evil.example/<script>"}',
  `${'['.repeat(500)}${']'.repeat(500)}`,
  '../../../../api/v1/accounts',
  '\ttab\rreturn\nfeed',
  'مرحبا بالعالم',
  '👨‍👩‍👧‍👦🏳️‍🌈',
  '%3Cscript%3E',
  'x" style="position:fixed;inset:0;background:red',
];

const wrappers: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `good ${text} name`,
  (text) => text + text,
  (text) => `"${text}"`,
  (text) => `{"text":${JSON.stringify(text)}}`,
  (text) => `https://example.org/${text}`,
  (text) => `ipfs://${text}`,
  (text) => text.toUpperCase(),
  (text) => `<${text}>`,
  (text) => `'${text}`,
  (text) => `${text}${' '.repeat(50)}${text}`,
  (text) => [...text].reverse().join(''),
  (text) => `&${text};`,
];

/** More than 500, all different. */
export const hostileTexts: readonly string[] = [
  ...new Set(payloads.flatMap((text) => wrappers.map((wrap) => wrap(text)))),
];

/** As long as anything that a database may hold. */
export const longText = `<b>${'x\u202e'.repeat(500_000)}`;
