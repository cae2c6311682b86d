/**
 * The parsers for dates in words. The build makes one file for each language, because the package contains many
 * languages, and each language twice.
 */
import { type Chrono, casual } from 'chrono-node/en';

export { Chrono } from 'chrono-node/en';

const LOCALES: Readonly<Record<string, () => Promise<{ casual: Chrono }>>> = {
  ar: () => import('chrono-node/ar'),
  de: () => import('chrono-node/de'),
  es: () => import('chrono-node/es'),
  fi: () => import('chrono-node/fi'),
  fr: () => import('chrono-node/fr'),
  id: () => import('chrono-node/id'),
  it: () => import('chrono-node/it'),
  ja: () => import('chrono-node/ja'),
  nl: () => import('chrono-node/nl'),
  pt: () => import('chrono-node/pt'),
  ru: () => import('chrono-node/ru'),
  sv: () => import('chrono-node/sv'),
  uk: () => import('chrono-node/uk'),
  vi: () => import('chrono-node/vi'),
  zh: () => import('chrono-node/zh'),
};

/** Loads the parser of a language by its ISO 639-1 code. An unknown language is read as English. */
export async function localeOf(language: string): Promise<Chrono> {
  return (await LOCALES[language]?.())?.casual ?? casual;
}
