/**
 * The parser for dates in English words. The build bundles it into one file, because the package contains many
 * languages, each twice.
 */
export { Chrono, casual } from 'chrono-node/en';
