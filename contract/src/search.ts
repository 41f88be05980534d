/** The search over everything that a member has: few of each kind, to go to. */
import * as z from 'zod'
import { search as limits } from './limits.ts'
import { route } from './route.ts'

export const searchCalls = {
  'search/all': route({
    summary:
      "The member's own and received projects, files, networks and runs whose name holds the text; a few of each",
    request: z.object({ text: z.string().trim().min(1).max(limits.textLength) }),
    response: z.object({
      projects: z.array(z.object({ id: z.string(), name: z.string(), owner: z.string() })),
      files: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(['folder', 'file']),
          name: z.string(),
          /** The folder it lies in, as far as the member may see; null = at the top, or received by itself. */
          folder: z.object({ id: z.string(), name: z.string() }).nullable(),
          /** Nickname; '' for own ones. */
          owner: z.string(),
        }),
      ),
      networks: z.array(z.object({ id: z.string(), name: z.string() })),
      runs: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(['train', 'test', 'predict', 'flow', 'flow_train']),
          number: z.int(),
          project: z.string(),
          dataset: z.string(),
        }),
      ),
      /** Of those projects and runs that have images, by id: the address of one. */
      covers: z.record(z.string(), z.string()),
    }),
    errors: [],
  }),
}
export type Found = z.infer<(typeof searchCalls)['search/all']['response']>
