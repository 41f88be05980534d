/**
 * For the engine's tests: `node --import tsx --conditions=neuroloom-source … FILE`: whether what the engine told of flow runs (JSON: `events`,
 * `results`, `sections`) is what pages take. Says nothing; a mistake is its exit.
 */
import { readFileSync } from 'node:fs'
import { engineEventSchema } from '@neuroloom/contract/engine'
import { flowRefusals, flowResultsSchema } from '@neuroloom/contract/flow/run'
import * as z from 'zod'

const [, , path = ''] = process.argv
const refusal = z.enum(flowRefusals)
const told = z
  .object({ events: z.array(engineEventSchema), results: z.array(flowResultsSchema) })
  .parse(JSON.parse(readFileSync(path, 'utf8')))
for (const event of told.events) {
  if (event.type === 'error' && event.code === 'flow_not_computed') refusal.parse(event.data.refusal)
}
for (const light of told.results.flatMap(({ lights }) => lights)) {
  if (light.why !== null) refusal.parse(light.why)
  if ((light.value === null) !== (light.colour === 'grey')) throw new Error(`${light.name} has no colour`)
}
