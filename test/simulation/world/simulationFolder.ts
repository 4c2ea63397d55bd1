import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { StoreHome } from "./storeHome.ts";
import { WORKFLOWS } from "./workflows.ts";

/** Memory where the machine offers it as a folder. */
const MEMORY = "/dev/shm";

/** How many worlds use one database, so that none has to look through the rows of too many others. */
const WORLDS_A_DATABASE = 40;

/** The folder of a simulation: a store prepared once, the workflows, and the databases of the worlds. */
export class SimulationFolder {
  readonly workflows: string;
  readonly #path: string;
  readonly #template: string;
  #home: StoreHome | undefined;
  #homes = 0;
  #names = new Set<string>();

  constructor() {
    this.#path = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "deferred-turns-simulation-"));
    this.#template = join(this.#path, "template.sqlite");
    openControllerStore({ path: this.#template }).close();
    this.workflows = join(this.#path, "workflows");
    mkdirSync(this.workflows);
    for (const [name, text] of Object.entries(WORKFLOWS)) writeFileSync(join(this.workflows, `${name}.json`), text);
  }

  /** The database for a world; a fresh one where the world's name was taken before, or too many have used it. */
  homeFor(name: string): StoreHome {
    const isFit = this.#home !== undefined && this.#names.size < WORLDS_A_DATABASE && !this.#names.has(name);
    const home = isFit && this.#home !== undefined ? this.#home : this.#newHome();
    this.#names.add(name);
    return home;
  }

  remove(): void {
    this.#home?.close();
    rmSync(this.#path, { recursive: true, force: true });
  }

  #newHome(): StoreHome {
    if (this.#home !== undefined) {
      this.#home.close();
      rmSync(this.#home.folder, { recursive: true });
    }
    this.#homes += 1;
    this.#names = new Set();
    this.#home = new StoreHome(join(this.#path, `database-${this.#homes}`), this.#template);
    return this.#home;
  }
}
