// A line of the launcher on standard error, as JSON where the log is asked to be: the same setting as the program's
// own.

/** @param level of pino: 30 information, 50 error */
export function say(sentence, level = 30) {
  const line = isJson() ? JSON.stringify({ level, time: Date.now(), msg: sentence }) : sentence;
  process.stderr.write(`${line}\n`);
}

function isJson() {
  const given = process.argv.flatMap((word, index) => {
    if (word === '--log-format') return [process.argv[index + 1]];
    return word.startsWith('--log-format=') ? [word.slice('--log-format='.length)] : [];
  });
  return (given.at(-1) ?? process.env.LEDGER_MIRROR_LOG_FORMAT) === 'json';
}
