// What differs between a checkout and this program.
export type Finding = {
  section: string;
  /** What it is about: `TransactionBody 82`. Left-out ones are named by it. */
  subject: string;
  side: 'only there' | 'only here' | 'otherwise';
  text: string;
};
