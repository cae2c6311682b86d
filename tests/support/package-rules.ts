/** The rules for packages: the dependencies in the manifest, and the packages that the build bundles. */
import { readText, type SourceFile } from './source-code.js';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

export function manifest(): Manifest {
  return JSON.parse(readText('package.json')) as Manifest;
}

export function installedPackages({ dependencies, optionalDependencies }: Manifest): Record<string, string> {
  return { ...dependencies, ...optionalDependencies };
}

export function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

export function packagesOf(files: readonly SourceFile[]): { name: string; path: string; isType: boolean }[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier }) => !/^(?:\.|node:)/.test(specifier))
      .map(({ specifier, isType }) => ({ name: packageName(specifier), path, isType })),
  );
}

/** The build bundles the packages that these folders import. */
const BUNDLED_FOLDERS = ['src/packages/', 'src/web/'];

export function isBundled(path: string): boolean {
  return BUNDLED_FOLDERS.some(folder => path.startsWith(folder));
}

export function undeclaredPackages(files: readonly SourceFile[], declared: Manifest): string[] {
  const installed = installedPackages(declared);
  const known = { ...installed, ...declared.devDependencies };
  return packagesOf(files)
    .filter(({ name, path, isType }) => !((isType || isBundled(path) ? known : installed)[name] ?? false))
    .map(({ name, path }) => `${path} imports ${name}`);
}
