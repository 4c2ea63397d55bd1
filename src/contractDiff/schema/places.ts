import { isObject, type Json, type JsonPath } from "../json.ts";
import type { Route, Step } from "./schemaChange.ts";

/** A value and the path to it. */
type Place = readonly [path: JsonPath, value: Json];

/** Where in a document the values at the end of a route stand. */
export function placesOf(document: Json, route: Route): readonly JsonPath[] {
  const start: readonly Place[] = [[[], document]];
  return route.reduce((places, step) => places.flatMap((place) => after(step, place)), start).map(([path]) => path);
}

function after(step: Step, place: Place): readonly Place[] {
  switch (step.kind) {
    case "same":
    case "propertyName":
      return [place];
    case "property":
      return members(place, (name) => name === step.name);
    case "anyProperty":
      return members(place, (name) => step.pattern === undefined || new RegExp(step.pattern, "u").test(name));
    case "item":
      return items(place).filter((_item, index) => step.index === undefined || step.index === index);
  }
}

function members([path, value]: Place, isMeant: (name: string) => boolean): readonly Place[] {
  if (!isObject(value)) return [];
  const meant = Object.entries(value).filter(([name]) => isMeant(name));
  return meant.map(([name, member]) => [[...path, name], member] as const);
}

function items([path, value]: Place): readonly Place[] {
  return Array.isArray(value) ? value.map((item: Json, index) => [[...path, String(index)], item] as const) : [];
}
