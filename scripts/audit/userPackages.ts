/** A package in `package-lock.json`. */
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly deprecated?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
}

/** A lock file, as far as it matters here. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** A package that comes with ours to whoever installs it. */
export interface UserPackage {
  readonly name: string;
  /** What speaks against it, without asking anybody. */
  readonly flaws: readonly string[];
}

/** The packages that users install, without those for development and those that Pi brings. */
export function userPackages({ packages }: LockFile): readonly UserPackage[] {
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== "" && !dev && !devOptional && !peer)
    .map(([path, locked]) => ({
      name: `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${locked.version}`,
      flaws: flawsOf(locked),
    }));
}

function flawsOf({ integrity, deprecated, hasInstallScript }: LockedPackage): readonly string[] {
  return [
    ...(integrity?.startsWith("sha512-") === true ? [] : ["is not pinned to a SHA-512"]),
    ...(deprecated === undefined ? [] : [`is deprecated: ${deprecated}`]),
    ...(hasInstallScript === true ? ["runs a script when it is installed"] : []),
  ];
}
