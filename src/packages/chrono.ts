/**
 * The parser for dates in English words. The build bundles only this parser into one file, because the package contains
 * many languages, and each language twice.
 */
export { Chrono, casual } from 'chrono-node/en';
