import { mkdtempSync } from "node:fs";
import { row } from "./rows/delivery.ts";
const dir = mkdtempSync("/work/main/bench/.work-ab-");
const { comparisons, close } = row.prepare(dir) as any;
const c = comparisons[0];
const m: number[] = [], b: number[] = [];
for (let i = 0; i < 30; i++) { m.push(await c.measured()); b.push(await c.baseline()); }
m.sort((a, b) => a - b); b.sort((a, b) => a - b);
console.log((m[15]! / 1000).toFixed(0), (b[15]! / 1000).toFixed(0));
close();
