// Of larger ledgers.
import './reimport-parts.test.ts';
