/** Fills the demo member's account with samples, made when `--demo` first asks for them. */
import type { Context } from './infra/context.ts'

type Seed = (ctx: Context, userId: string) => Promise<void>

/** In this order, each by the feature whose things it makes. */
const seeds: Seed[] = []

export async function seedDemo(ctx: Context, userId: string): Promise<void> {
  for (const seed of seeds) await seed(ctx, userId)
}
