import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { commandOpinion, GuardedDatabase, type IntentRow, SQLITE_COMMAND } from "./judges/guardedDatabase.ts";
import type { Opinion } from "./judges/opinions.ts";
import { PRODUCT, type Product } from "./judges/product.ts";

/** What trials work with: the product, a guarded table in memory, and a store in a file. */
export class FuzzWorld {
  readonly product: Product;
  readonly database: GuardedDatabase;
  readonly store: ControllerStore;
  readonly #folder: string;
  readonly #hasCommand = existsSync(SQLITE_COMMAND);

  constructor(defects: Partial<Product> = {}) {
    this.product = { ...PRODUCT, ...defects };
    this.database = new GuardedDatabase(this.product.ddl);
    this.#folder = mkdtempSync(join(tmpdir(), "deferred-turns-fuzz-"));
    this.store = openControllerStore({ path: join(this.#folder, "controller.sqlite"), now: () => 1_787_300_000_000 });
  }

  /** What the sqlite3 command says to a row; undefined where it is not installed. */
  commandOpinion(row: IntentRow): Opinion | undefined {
    return this.#hasCommand ? commandOpinion(this.product.ddl, row) : undefined;
  }

  close(): void {
    this.database.close();
    this.store.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
