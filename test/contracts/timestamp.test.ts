import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimestamp, isTimestamp, parseTimestamp } from "../../src/contracts/timestamp.ts";
import { thrownBy } from "./support/thrown.ts";

describe("timestamps", () => {
  it("have 24 characters, in UTC with milliseconds", () => {
    expect(formatTimestamp(Date.UTC(2026, 7, 21, 8, 17, 31))).toBe("2026-08-21T08:17:31.000Z");
    expect(formatTimestamp(0)).toBe("1970-01-01T00:00:00.000Z");
    expect(formatTimestamp(-1)).toBe("1969-12-31T23:59:59.999Z");
  });

  it("reach from the year 0000 to 9999", () => {
    expect(formatTimestamp(-62_167_219_200_000)).toBe("0000-01-01T00:00:00.000Z");
    expect(formatTimestamp(253_402_300_799_999)).toBe("9999-12-31T23:59:59.999Z");
  });

  it.each([-62_167_219_200_001, 253_402_300_800_000, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "are not made of %d",
    (time) => {
      expect(thrownBy(() => formatTimestamp(time))).toMatchObject({ code: "INVALID_ARGUMENT" });
    },
  );

  it("come back as the time they were made of, in the order of their text", () => {
    const time = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(time, time, (a, b) => {
        expect(parseTimestamp(formatTimestamp(a))).toBe(a);
        expect(formatTimestamp(a) < formatTimestamp(b)).toBe(a < b);
      }),
    );
  });

  it.each([
    ["another precision", "2026-08-21T08:17:31Z"],
    ["microseconds", "2026-08-21T08:17:31.000000Z"],
    ["an offset", "2026-08-21T08:17:31.000+00:00"],
    ["an offset of the same length", "2026-08-21T08:17:31+00:0Z"],
    ["a space", "2026-08-21 08:17:31.000Z"],
    ["lower case", "2026-08-21t08:17:31.000z"],
    ["a 30 February", "2026-02-30T08:17:31.000Z"],
    ["a 29 February of no leap year", "2026-02-29T08:17:31.000Z"],
    ["a month 13", "2026-13-01T08:17:31.000Z"],
    ["a day 0", "2026-08-00T08:17:31.000Z"],
    ["24 o'clock", "2026-08-21T24:00:00.000Z"],
    ["a leap second", "2026-08-21T23:59:60.000Z"],
    ["five digits of a year", "+02026-08-21T08:17:31.000Z"],
    ["a line break at the end", "2026-08-21T08:17:31.000Z\n"],
    ["digits of another script", "２026-08-21T08:17:31.000Z"],
    ["a number", 1_787_300_251_000],
  ])("are not written with %s", (_, value) => {
    expect(isTimestamp(value)).toBe(false);
    expect(thrownBy(() => parseTimestamp(value as string))).toMatchObject({ code: "CONTRACT_VIOLATION" });
  });

  it("know leap years", () => {
    expect(isTimestamp("2028-02-29T00:00:00.000Z")).toBe(true);
  });
});
