/**
 * The parser for dates in English words. The build bundles the parser into one file, because the package contains many
 * languages, and each language twice.
 */
export { Chrono, casual } from 'chrono-node/en';
