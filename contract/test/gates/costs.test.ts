import { type ResolveOptions, resolve } from '@neuroloom/contract/network/resolve/resolve'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtIn, exampleIds, library } from '../network/wire.ts'
import { Engine } from './engine.ts'
import { third } from './sample.ts'
import { smaller } from './sizes.ts'

let engine: Engine
beforeAll(() => {
  engine = new Engine()
})
afterAll(() => engine.close())

async function costsOf(id: string, options: Partial<ResolveOptions>) {
  const { plan, errors } = resolve(builtIn(id), { ...library, ...options })
  if (plan === null) throw new Error(JSON.stringify(errors))
  const answer = await engine.ask('costs', { plan })
  if ('error' in answer) throw new Error(answer.error)
  return { plan, found: answer }
}

describe('what a plan says that training costs, PyTorch pays', () => {
  test.each(third(exampleIds))(
    '%s: kept bytes to one part in a hundred, multiply-adds exactly',
    async (id) => {
      const { plan, found } = await costsOf(id, smaller(id))
      const isSpared = found.isFused && plan.nodes.some(({ op }) => op.endsWith('attention'))
      const more = plan.keptBytes / found.kept - 1
      expect(more).toBeGreaterThan(-0.01)
      // Attention in newer PyTorch keeps less than by hand; the plan stays on the safe side.
      expect(more).toBeLessThan(isSpared ? 1 : 0.01)
      expect(found.macs).toBe(plan.macs)
    },
  )
})
