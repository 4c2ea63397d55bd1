import { it } from "vitest";
import { hasTmux } from "../../../scenarios/support/tui.ts";

/**
 * Tests of the terminal UI. Without tmux they are skipped, and one line says so; with CI=true they run and fail, so that
 * a pipeline cannot lose them unnoticed.
 */
export const itWithTmux = skipsWithoutTmux() ? it.skip : it;

function skipsWithoutTmux(): boolean {
  if (hasTmux() || process.env["CI"] === "true") return false;
  process.stderr.write("Skipped the tests of Pi's terminal UI: install tmux to run them.\n");
  return true;
}
