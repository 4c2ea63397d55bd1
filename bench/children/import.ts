/** Prints the nanoseconds that importing a module takes. */
const start = process.hrtime.bigint();
await import(process.argv[2] ?? "");
console.log(Number(process.hrtime.bigint() - start));
