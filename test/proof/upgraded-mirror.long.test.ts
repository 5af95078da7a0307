// Of ledger ids of both lengths.
import './upgraded-mirror.test.ts';
