/** Opens an address in the browser of the person. */
import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` is a word of the shell, which would read the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const USUAL_OPENER = ['xdg-open'] as const;

/** @returns whether a browser was asked; false where there is none, such as on a server */
export async function openBrowser(url: string): Promise<boolean> {
  if (!hasScreen(process)) return false;
  const [command, ...words] = OPENERS[process.platform] ?? USUAL_OPENER;
  return new Promise(resolve => {
    const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** On Linux, `xdg-open` starts on a server too, and then finds no browser. */
function hasScreen({ platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>): boolean {
  const signs = [env.DISPLAY, env.WAYLAND_DISPLAY, env.BROWSER, env.WSL_DISTRO_NAME];
  return platform !== 'linux' || signs.some(sign => sign !== undefined && sign !== '');
}
