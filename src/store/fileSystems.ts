import { statfsSync } from "node:fs";
import type { StoreDiagnostic } from "./storeDiagnostics.ts";

/** Tells the type of the file system on which a file lies, as Linux numbers them; undefined where that is not known. */
export type FileSystemTypeOf = (path: string) => number | undefined;

/** Asks the system. Elsewhere than on Linux its numbers mean something else, so that nothing is known there. */
export const fileSystemType: FileSystemTypeOf = (path) => {
  if (process.platform !== "linux") return undefined;
  try {
    return statfsSync(path).type >>> 0;
  } catch {
    // A system that does not tell leaves the store as usable as it was.
    return undefined;
  }
};

/** File systems that several machines can have mounted at once, by the numbers of Linux's `magic.h`. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9p"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x564c, "NCP"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0xaad7aaea, "PanFS"],
  [0x19830326, "BeeGFS"],
]);

/** Programs that serve files to the kernel: sshfs does it over a network, encryption and foreign disks without one. */
const FUSE = 0x65735546;

/** What is to be reported of a file system, and what of it a person must be told. */
export interface FileSystemJudgement {
  readonly diagnostics: readonly StoreDiagnostic[];
  readonly findings: readonly StoreDiagnostic[];
}

/**
 * Judges whether a store may lie on a file system. The write-ahead log is shared through memory, so processes of two
 * machines that use one store at the same time do not see each other's locks, and damage it. A single machine is safe
 * there, and whether a second one will come cannot be known: the store is used, and the person is told. Of FUSE only a
 * diagnostic is made: it is local far more often, and a warning at each start would be taken for noise.
 */
export function judgeFileSystem(path: string, type: number | undefined): FileSystemJudgement {
  const name = type === undefined ? undefined : NETWORK_FILE_SYSTEMS.get(type);
  if (name !== undefined) {
    const finding = diagnostic(`The controller store ${path} lies on a network file system (${name})`);
    return { diagnostics: [finding], findings: [finding] };
  }
  const perhaps = `The controller store ${path} lies on a FUSE file system, which may be one of a network`;
  return { diagnostics: type === FUSE ? [diagnostic(perhaps)] : [], findings: [] };
}

function diagnostic(where: string): StoreDiagnostic {
  const message =
    `${where}. Processes of two machines would damage it when they use it at the same time; use it from one machine ` +
    "only, or set PI_WORKFLOWS_CONTROLLER_DIR to a folder on a local disk.";
  return { code: "NETWORK_FILE_SYSTEM", message };
}
