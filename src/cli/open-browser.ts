/** Opens an address in the user's browser. */
import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` is not used, because it needs a shell, and the shell would interpret special characters of the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const USUAL_OPENER = ['xdg-open'] as const;

/** @returns true if the program that opens the browser was started; false if it is missing, or Linux has no screen */
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

/** Whether a browser can be shown. On a Linux server without a screen, `xdg-open` starts too, but finds no browser. */
function hasScreen({ platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>): boolean {
  const signs = [env.DISPLAY, env.WAYLAND_DISPLAY, env.BROWSER, env.WSL_DISTRO_NAME];
  return platform !== 'linux' || signs.some(sign => sign !== undefined && sign !== '');
}
