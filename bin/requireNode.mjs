// Ends the process with a sentence on a Node that cannot run what follows. Plain JavaScript, so that such a Node can read it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `pi-deferred-turns needs Node 22.19 or newer, and this is ${process.versions.node}: use a newer one; in a checkout, "npm ci" brings it, and npm and npx use it.`,
  );
  process.exit(2);
}
