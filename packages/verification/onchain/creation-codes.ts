// Creation code as a ledger stores it: in a file (hex text) or the transaction, both without constructor arguments, or
// in a sidecar or an Ethereum transaction with them. All candidates, likeliest first; a wrong one does no harm, because
// the bytes after the code must decode as arguments exactly.

export type CreationSources = {
  /** Content of the bytecode file. */
  file: Buffer | null;
  initcode: Buffer | null;
  /** Constructor parameters of the creating transaction. */
  parameters: Buffer | null;
};

export function toCreationCodes({ file, initcode, parameters }: CreationSources): Buffer[] {
  const fileCode = file && readHexText(file);
  const codes: Buffer[] = [];
  const add = (code: Buffer) => {
    if (code.length > 0 && !codes.some((other) => other.equals(code))) codes.push(code);
  };
  const addWithParameters = (code: Buffer) => {
    if (parameters && parameters.length > 0) add(Buffer.concat([code, parameters]));
  };
  if (fileCode) {
    // Beside a file only a sidecar gives creation code, and that is complete.
    if (initcode) add(initcode);
    addWithParameters(fileCode);
    add(fileCode);
  } else if (initcode) {
    addWithParameters(initcode);
    add(initcode);
  }
  return codes;
}

/** Files hold hex text, with or without 0x and white space. null = this one does not. */
function readHexText(file: Buffer): Buffer | null {
  const text = file.toString('latin1').replace(/\s/g, '').replace(/^0x/i, '');
  return /^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : null;
}
