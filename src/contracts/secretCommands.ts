import { matchesIn, type TextSpan } from "./redaction.ts";
import { betweenRedactions } from "./secretValues.ts";

/** How much of a command's line is looked at. */
const LINE_MAX_LENGTH = 1_024;

/** Programs that take a credential in an option whose name does not say so. */
const COMMAND =
  /(?<!\w)(?<program>curl|https?|wget|mysql(?:dump|admin|import|show)?|mariadb(?:-dump)?|sshpass|docker|podman|redis-cli|ldap(?:search|add|modify|delete|whoami)|openssl|sqlcmd|unzip|zip)(?= )/g;

/** The end of a command within its line. */
const END_OF_COMMAND = /\n| \|{1,2} | && |; /;

const QUOTED_OR_WORD = String.raw`(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<word>[^\s"']+))`;
const option = (name: string, flags = "dg"): RegExp => new RegExp(`(?<= )${name}${QUOTED_OR_WORD}`, flags);

/** What stands behind the colon of `user:password`. */
const USER_AND_PASSWORD = /(?<=^[^:]{0,256}:)(?!\d+$).+$/d;
const WHOLE = /^.+$/d;

interface CredentialOption {
  readonly option: RegExp;
  /** The secret within the option's value. */
  readonly part: RegExp;
}

const login = (name: string): CredentialOption => ({ option: option(name), part: USER_AND_PASSWORD });
const secret = (name: string): CredentialOption => ({ option: option(name), part: WHOLE });

const OPTIONS: readonly (readonly [programs: RegExp, options: readonly CredentialOption[]])[] = [
  [/^curl$/, [login("-[a-zA-Z]{0,8}u ?"), login("--(?:proxy-)?user[= ]")]],
  [/^https?$/, [login("(?:-a|--auth)[= ]?")]],
  [/^(?:mysql|mariadb)/, [secret("-p(?! )")]],
  [/^(?:sshpass|docker|podman)$/, [secret(String.raw`-p ?(?!\d+:)`)]],
  [/^redis-cli$/, [secret("(?:-a|--pass) ")]],
  [/^ldap/, [secret("-w ")]],
  [/^openssl$/, [secret("-pass(?:in|out)? pass:")]],
  [/^sqlcmd$/, [secret("-P ?")]],
  [/^(?:un)?zip$/, [secret("-P ?")]],
];

/** Where credentials stand in the options of well-known commands: `curl -u user:…`, `mysql -p…`, `sshpass -p …`. */
export function commandSecrets(text: string): Generator<TextSpan> {
  return betweenRedactions(text, secretsOfCommands);
}

function* secretsOfCommands(text: string): Generator<TextSpan> {
  const commands = [...matchesIn(text, COMMAND)];
  for (const [place, { index: start, groups }] of commands.entries()) {
    const next = commands[place + 1]?.index ?? text.length;
    const line = text.slice(start, Math.min(next, start + LINE_MAX_LENGTH));
    const end = line.search(END_OF_COMMAND);
    for (const span of secretsOfCommand(groups?.["program"] ?? "", end === -1 ? line : line.slice(0, end))) {
      yield { start: start + span.start, end: start + span.end };
    }
  }
}

function* secretsOfCommand(program: string, command: string): Generator<TextSpan> {
  const options = OPTIONS.filter(([programs]) => programs.test(program)).flatMap(([, found]) => found);
  for (const { option, part } of options) {
    for (const { indices } of matchesIn(command, option)) {
      const [from, to] = indices?.groups?.["double"] ??
        indices?.groups?.["single"] ??
        indices?.groups?.["word"] ?? [0, 0];
      const [start, end] = part.exec(command.slice(from, to))?.indices?.[0] ?? [0, 0];
      if (start < end) yield { start: from + start, end: from + end };
    }
  }
}
