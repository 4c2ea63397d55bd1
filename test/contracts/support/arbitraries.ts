import fc from "fast-check";

/** Text as hostile as it comes: all of Unicode, lone surrogates, escapes, marks and line breaks. */
export function anyText(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  const hostile = fc.constantFrom(
    ...[
      "\u001b",
      "[",
      "]",
      "\u009b",
      "\u009d",
      "\u0007",
      "\\",
      "31m",
      "\u202e",
      "\u2066",
      "\u200b",
      "\ufeff",
      "\u{e0041}",
    ],
    ...[
      "\ud800",
      "\udc00",
      "\0",
      "\r",
      "\n",
      "\u2028",
      "\u0085",
      "\t",
      "e\u0301",
      "\u{1F980}",
      '"',
      "'",
      "`",
      "<",
      ">",
      " ",
    ],
  );
  const unit = fc.oneof(
    hostile,
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom("a", "Z", "7"),
  );
  return fc.string({ maxLength: 60, ...constraints, unit });
}

/** A key: 1 to 512 characters of well-formed Unicode without U+0000. */
export function anyKey(): fc.Arbitrary<string> {
  const character = fc.oneof(
    fc.constantFrom('"', ",", "[", "]", "\\", ":", "/", "null", "\u{1F680}", "e\u0301", "\u00e9"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((text) => text !== "\0"),
  );
  return fc.string({ unit: character, minLength: 1, maxLength: 12 });
}
