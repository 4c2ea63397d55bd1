import type { Sources } from "../model.ts";
import { markdownBanner } from "../output/banner.ts";
export function emitContractsMd(_sources: Sources): string {
  return `${markdownBanner([])}\n`;
}
