import type { Context } from './context.ts'

/** What an operator may ask for at the server's own console: `npm run admin -- <name> …`. */
export type Command = {
  /** What follows its name; those in brackets may be left out. */
  words: string
  does: string
  run(ctx: Context, words: string[]): Promise<string>
}

/** What was typed cannot be meant: a sentence says why. */
export class Misuse extends Error {}
