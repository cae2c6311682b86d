/** The parser of dates in English words, which the build makes one file of: the package knows many languages, each twice. */
export { Chrono, casual } from 'chrono-node/en';
