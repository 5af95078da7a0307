// Of record files, too.
import './reruns.test.ts';
