/** Parts of the product that administrators switch off while the server runs. */
import * as z from 'zod'
import { route } from '../route.ts'

/** `registration`: people make their own accounts. `custom`: custom tasks and parameter tuning. `code`: code uploads. */
export const moduleNames = ['registration', 'social', 'shop', 'market', 'custom', 'code'] as const
export type ModuleName = (typeof moduleNames)[number]
export const moduleNameSchema = z.enum(moduleNames)

/** A hospital's own server has no more of them: its configuration has switched off the others. */
export const privateModules: readonly ModuleName[] = ['code']

const modulesSchema = z.object({
  modules: z
    .array(
      z.object({
        name: moduleNameSchema,
        isOff: z.boolean(),
        /** When it was switched off; null while it is on. */
        since: z.iso.datetime().nullable(),
      }),
    )
    .max(moduleNames.length),
})
export type Modules = z.infer<typeof modulesSchema>['modules']

export const moduleCalls = {
  'office/modules': route({
    summary: 'The modules of this server, and which of them are switched off (administrators)',
    request: z.object({}),
    response: modulesSchema,
    errors: [],
  }),
  'office/switchModule': route({
    summary: 'Switch a module off, or on again, for everybody at once (administrators)',
    request: z.object({ name: moduleNameSchema, isOff: z.boolean() }),
    response: modulesSchema,
    errors: ['not_found'],
  }),
}
