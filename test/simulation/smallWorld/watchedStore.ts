import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import type { Points } from "./points.ts";

/** What asks for no operation on rows: the connection itself is shared by all the worlds of an exploration. */
const UNWATCHED: ReadonlySet<PropertyKey> = new Set(["checkFile", "reopen", "path"]);

/** The production store, with a named point before and after each operation. */
export function watchedStore(store: ControllerStore, points: Points): ControllerStore {
  const watched: ControllerStore = new Proxy(store, {
    get(target, property) {
      if (property === "close") return () => undefined;
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      if (UNWATCHED.has(property)) return value.bind(target);
      return (...args: readonly unknown[]) => {
        points.reachCall(String(property));
        const result: unknown =
          property === "transaction" ? inTransaction(target, watched, args[0]) : value.apply(target, args);
        points.reach(`after ${String(property)}`);
        return result;
      };
    },
  });
  return watched;
}

function inTransaction(store: ControllerStore, watched: ControllerStore, work: unknown): unknown {
  return store.transaction(() => (work as (store: ControllerStore) => unknown)(watched));
}
