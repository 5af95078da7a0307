// Of more seeds.
import './ledger-property.test.ts';
