import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { type Plugin, rolldown } from "rolldown";
import { devCommand, runDevCommand } from "../../dev/devCommand.ts";

/** What the package's exports and its command lead to. */
const ENTRY_POINTS = {
  index: "src/index.ts",
  contracts: "src/contracts/index.ts",
  validators: "generated/validators.ts",
  command: "src/cli/entry.ts",
};

/**
 * What several entry points share, a part for each layer: it would come in many small files, and Node takes longer to
 * find a file than to run what is in it. What reads workflow definitions stays apart: the library does not need it.
 */
const SHARED_PARTS = [
  { name: "sharedValidators", test: /\/generated\/(textRules|violations|validate(?!WorkflowDefinition)\w+)\.ts$/ },
  {
    name: "sharedContracts",
    test: /\/(generated\/(contracts|records)|src\/contracts\/(?!contractText|index)\w+)\.ts$/,
  },
  { name: "sharedStore", test: /\/(generated\/ddl|src\/store\/(?!inspection\/).+)\.ts$/ },
];

/**
 * An import of a module of Node reads all that it exports, and so loads the streams and promises that `node:fs` would
 * load when they are used: 30 modules, a third of the time that the library takes. Asked for as an object, it reads what is named.
 */
const builtinsAsObjects: Plugin = {
  name: "builtins-as-objects",
  // A chunk begins with its imports; what looks like one further below is text.
  renderChunk: (code) => code.replace(/^(?:import .*\n)+/, inObjects),
};

function inObjects(imports: string): string {
  return imports.replaceAll(
    /^import \{ ([^}]+) \} from "(node:[^"]+)";$/gm,
    (_, names: string, id: string) =>
      `const { ${names.replaceAll(" as ", ": ")} } = process.getBuiltinModule("${id}");`,
  );
}

async function bundle(): Promise<void> {
  const modules = await rolldown({
    input: ENTRY_POINTS,
    platform: "node",
    external: /^[^./]/,
    preserveEntrySignatures: "allow-extension",
    plugins: [builtinsAsObjects],
  });
  await modules.write({
    dir: "dist",
    // They stand in the declarations.
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "parts/[name].js",
    codeSplitting: { groups: SHARED_PARTS, includeDependenciesRecursively: false },
  });
  await modules.close();
}

async function main(): Promise<number> {
  // What an earlier build left must not reach the package.
  rmSync("dist", { recursive: true, force: true });
  await bundle();
  return spawnSync("tsc", ["--project", "tsconfig.build.json"], { stdio: "inherit" }).status ?? 1;
}

const command = devCommand({
  call: "npm run build",
  does: "Writes dist/: what the package publishes, bundled, with its declarations. npm pack does it first.",
  examples: [{ line: "npm run build", does: "builds anew what an earlier build left" }],
});
await runDevCommand(command, main);
