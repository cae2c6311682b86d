/** Programming languages: the names by which memories mention them, and the extensions of their files. */

export interface Language {
  names: readonly string[];
  extensions: readonly string[];
}

/**
 * Each entry has the names and the file extensions. The list only defines aliases: any other name stands for itself.
 */
const LANGUAGES: readonly Language[] = [
  ['python py python3', 'py pyi ipynb'],
  ['typescript ts tsx typescriptreact', 'ts tsx mts cts'],
  ['javascript js jsx javascriptreact ecmascript node nodejs node.js', 'js jsx mjs cjs'],
  ['go golang', 'go'],
  ['rust rs', 'rs'],
  ['java', 'java'],
  ['kotlin kt', 'kt kts'],
  ['c# csharp c-sharp cs dotnet .net', 'cs csx'],
  ['f# fsharp f-sharp fs', 'fs fsx fsi'],
  ['vb visual-basic vb.net vbnet', 'vb'],
  ['c++ cpp cxx cplusplus', 'cpp cc cxx hpp hh hxx'],
  ['c c89 c99 c11 c17 c23 ansi-c', 'c h'],
  ['objective-c objc objectivec objective-cpp objective-c++', 'm mm'],
  ['swift', 'swift'],
  ['ruby rb', 'rb rake gemspec'],
  ['php', 'php'],
  ['scala', 'scala sc'],
  ['groovy', 'groovy gradle'],
  ['clojure clj clojurescript', 'clj cljs cljc edn'],
  ['haskell hs', 'hs lhs'],
  ['ocaml', 'ml mli'],
  ['elm', 'elm'],
  ['elixir ex', 'ex exs heex'],
  ['erlang', 'erl hrl'],
  ['lua', 'lua'],
  ['perl', 'pl pm'],
  ['r rlang r-lang', 'r rmd'],
  ['julia', 'jl'],
  ['matlab', 'mlx'],
  ['dart', 'dart'],
  ['zig', 'zig'],
  ['nim', 'nim'],
  ['crystal', 'cr'],
  ['d dlang', 'd'],
  ['lisp common-lisp', 'lisp lsp cl'],
  ['scheme', 'scm ss'],
  ['racket', 'rkt'],
  ['emacs-lisp elisp', 'el'],
  ['fortran', 'f f90 f95 f03'],
  ['pascal delphi', 'pas dpr'],
  ['cobol', 'cbl cob'],
  ['assembly assembler asm', 'asm s'],
  ['solidity', 'sol'],
  ['sql', 'sql'],
  ['bash shell sh zsh shellscript', 'sh bash zsh'],
  ['fish', 'fish'],
  ['powershell pwsh', 'ps1 psm1 psd1'],
  ['batch batchfile', 'bat cmd'],
  ['html', 'html htm'],
  ['css scss sass', 'css scss sass less'],
  ['vue vuejs vue.js', 'vue'],
  ['svelte', 'svelte'],
  ['astro', 'astro'],
  ['yaml yml', 'yml yaml'],
  ['json jsonc json5', 'json jsonc json5'],
  ['toml', 'toml'],
  ['xml', 'xml xsd xsl'],
  ['markdown md mdx', 'md mdx markdown'],
  ['latex tex', 'tex'],
  ['terraform tf hcl', 'tf tfvars hcl'],
  ['nix', 'nix'],
  ['graphql gql', 'graphql gql'],
  ['protobuf proto', 'proto'],
  ['prisma', 'prisma'],
  ['docker dockerfile', 'dockerfile'],
  ['make makefile gnumake', 'mk'],
  ['cmake', 'cmake'],
].map(([names = '', extensions = '']) => ({ names: names.split(' '), extensions: extensions.split(' ') }));

/** Files whose full name determines their language. */
const LANGUAGE_BY_FILE: ReadonlyMap<string, string> = new Map([
  ['dockerfile', 'docker'],
  ['containerfile', 'docker'],
  ['makefile', 'make'],
  ['cmakelists.txt', 'cmake'],
  ['gemfile', 'ruby'],
  ['rakefile', 'ruby'],
  ['jenkinsfile', 'groovy'],
]);

/** Finds a language by name. A language that is not in the list has only the given name. */
export function languageOfName(name: string): Language | undefined {
  const key = nameKey(name);
  if (key === '') return undefined;
  return LANGUAGES.find(({ names }) => names.includes(key)) ?? { names: [key], extensions: [] };
}

export function languageOfPath(path: string): Language | undefined {
  const file = path.trim().toLowerCase().split(/[/\\]/).at(-1) ?? '';
  const known = LANGUAGE_BY_FILE.get(file);
  if (known !== undefined) return languageOfName(known);
  const extension = /\.([^.]+)$/.exec(file)?.[1];
  return extension === undefined ? undefined : LANGUAGES.find(({ extensions }) => extensions.includes(extension));
}

/** Normalises a name for comparison: lower case, parts joined by one hyphen. */
export function nameKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
}
