// More of them, and larger ones.
import './reimport-property.test.ts';
