import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { joinStore } from "../../../src/store/database/joinStore.ts";
import { openDatabase } from "../../../src/store/database/openDatabase.ts";
import { BARE_TABLE, SCHEMA_INFO } from "../helpers/bareStore.ts";
import { afterTest, errorOf, storeWorld } from "../helpers/storeWorld.ts";

describe("joining", () => {
  it("looks again under the lock: a file may have become another's since the first look", () => {
    const database = new Database(":memory:");
    database.exec(SCHEMA_INFO.replace("controller-store.v1", "controller-store.v2"));
    const before = database.serialize();
    expect(errorOf(() => joinStore(database, "/store")).code).toBe("INCOMPATIBLE_STORE");
    expect(database.serialize().equals(before)).toBe(true);
  });

  it("creates what is missing, and nothing a second time", () => {
    const database = new Database(":memory:");
    database.exec(SCHEMA_INFO + BARE_TABLE);
    joinStore(database, "/store");
    const changes = database.prepare("SELECT total_changes()").pluck();
    const before = [changes.get(), database.pragma("schema_version")];
    joinStore(database, "/store");
    expect([changes.get(), database.pragma("schema_version")]).toEqual(before);
  });
});

describe("the connection of a store", () => {
  it("writes through to the disk at every commit and holds foreign keys", () => {
    const { path } = storeWorld();
    const { database } = openDatabase({ path, readonly: false, busyTimeoutMs: 200 });
    afterTest(() => database.close());
    const full = 2;
    expect(database.pragma("synchronous", { simple: true })).toBe(full);
    expect(database.pragma("foreign_keys", { simple: true })).toBe(1);
  });
});
