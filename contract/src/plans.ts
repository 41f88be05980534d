/** Membership: what a member shares with others, of how much. */
import * as z from 'zod'
import { route } from './route.ts'

const sharedCount = z.object({ used: z.int(), limit: z.int().nullable() })

export const planCalls = {
  'plans/shared': route({
    summary: 'How many of the own data sets and models others have, and how many may be; null = any number',
    request: z.object({}),
    response: z.object({ datasets: sharedCount, models: sharedCount }),
    errors: [],
  }),
}
