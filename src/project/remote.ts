/** Reads the addresses of remote repositories. User names and passwords in them are never part of a result. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path on a server, or a folder of this machine. */
export type RemoteAddress = { path: string } | { folder: string };

const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/;
const URL_LINE = /^\s*url\s*=\s*(.*)$/i;
/** A word that git passes to a helper, as in `ext::ssh host`. */
const HELPER = /^[a-z][\w+.-]*::/i;
const SCHEME = /^([a-z][\w+.-]*):\/\//i;
const DRIVE = /^[a-z]:[\\/]/i;
/** Address such as `git@host:owner/name.git`. */
const HOST_AND_PATH = /^((?:[^/\\:@]*@)?\[[^\]/\\]*\]|[^/\\:]*):(.*)$/;

/** Returns the address of the remote `origin`, or else of the first remote in the text of a configuration. */
export function firstRemote(config: string): string | undefined {
  const addresses = new Map<string, string>();
  let remote: string | undefined;
  for (const whole of config.split(/\r?\n/)) {
    const section = SECTION.exec(whole);
    if (section) remote = section[1]?.toLowerCase() === 'remote' ? section[2] : undefined;
    const address = settingIn(URL_LINE.exec(section ? (section[3] ?? '') : whole)?.[1]);
    if (remote !== undefined && address !== '' && !addresses.has(remote)) addresses.set(remote, address);
  }
  return addresses.get('origin') ?? addresses.values().next().value;
}

/** A value may be quoted, and a comment may follow. */
function settingIn(text = ''): string {
  const [, quoted, plain = ''] = /^"((?:[^"\\]|\\.)*)"|^([^#;]*)/.exec(text.trim()) ?? [];
  return (quoted?.replace(/\\(.)/g, '$1') ?? plain).trim();
}

/** @param from folder to which a relative path belongs */
export function remoteAddress(written: string, from: string): RemoteAddress {
  const address = written.replace(HELPER, '');
  const scheme = SCHEME.exec(address);
  if (scheme?.[1]?.toLowerCase() === 'file') return { folder: folderOf(address) };
  if (scheme) return { path: serverPath(address.slice(scheme[0].length)) };
  const [, host, path = ''] = DRIVE.test(address) ? [] : (HOST_AND_PATH.exec(address) ?? []);
  if (host === undefined) return { folder: DRIVE.test(address) ? address : resolve(from, address) };
  // `host` is only a user name if its password follows.
  const password = /^[^/]*@/.exec(path)?.[0];
  return { path: password === undefined ? path : path.slice(password.length).replace(/^[^/:]*:/, '') };
}

/** The path after host and port. What stands before a later `@` may be the rest of a password with a slash. */
function serverPath(afterScheme: string): string {
  const [, ...parts] = afterScheme.split(/[?#]/, 1)[0]?.split('/') ?? [];
  const users = parts.slice(0, -1).findLastIndex(part => part.includes('@'));
  return parts
    .slice(users + 1)
    .map(decoded)
    .join('/');
}

function folderOf(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    return serverPath(address.replace(SCHEME, ''));
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns the last two parts of a path, which are owner and name. Of nested groups only the last one counts, because the
 * addresses of one repository for SSH and for HTTP often begin differently.
 */
export function nameInAddress(path: string): string[] {
  const parts = path.split(/[\\/]/).filter(part => !['', '.', '..', '_git'].includes(part));
  return parts.slice(-2).map((part, at, all) => (at === all.length - 1 ? part.replace(/\.git$/i, '') : part));
}
