/** Finds the folders in which clients keep their files, on each platform. */
import type { PathTemplate } from './client.js';
import type { Surroundings } from './surroundings.js';

/** The folders that a template names. A folder may be a template itself. */
const FOLDERS: Readonly<Record<string, (here: Surroundings) => PathTemplate>> = {
  /** Settings of desktop programs. */
  config: ({ configHome }) => configHome,
  xdg: () => '{XDG_CONFIG_HOME|~/.config}',
  claudeDesktop: claudeDesktopFolder,
  devin: ({ platform }) => (platform === 'win32' ? '{config}/devin' : '~/.config/devin'),
  goose: ({ platform }) => (platform === 'win32' ? '{config}/Block/goose/config' : '{xdg}/goose'),
  zed: ({ platform }) => (platform === 'win32' ? '{config}/Zed' : '{xdg}/zed'),
};

export function pathOf(template: PathTemplate, here: Surroundings): string {
  const filled = template
    .replace(/^\{(\w+)\|([^}]*)\}/, (_, name: string, fallback: string) => here.environment[name] || fallback)
    .replace(/^\{(\w+)\}/, (_, name: string) => FOLDERS[name]?.(here) ?? '')
    .replace(/^~/, () => here.home);
  return filled.startsWith('{') ? pathOf(filled, here) : here.join(filled);
}

/** Claude Desktop from the Windows package reads only the package's own copy of the roaming folder. */
function claudeDesktopFolder({ platform, packages, join, exists }: Surroundings): PathTemplate {
  const folder = join(packages, 'Claude_pzs8sxrjxfjjc');
  const isPackaged = platform === 'win32' && exists(folder);
  return isPackaged ? join(folder, 'LocalCache', 'Roaming', 'Claude') : '{config}/Claude';
}
