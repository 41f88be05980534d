import { keptBytes } from '@neuroloom/contract/network/kept'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { costByPath } from '@neuroloom/contract/network/resolve/summary'
import { expect, test } from 'vitest'
import { exampleIds, exampleText, library, makeDocument } from './wire.ts'

test.each(exampleIds)('%s: the parts add up to the whole', (id) => {
  const { plan } = resolve(makeDocument(exampleText(id)), library)
  if (plan === null) throw new Error('no plan')
  const { kept, byNode } = keptBytes(plan.nodes, plan.inputs, library.catalogue)
  const inputs = Object.keys(plan.inputs).reduce((sum, name) => sum + (byNode.get(`@${name}`) ?? 0), 0)
  const costs = costByPath(plan.nodes, byNode)
  expect(costs.get('')).toEqual({
    learn: plan.learn,
    macs: plan.macs,
    keptBytes: kept - inputs,
    layers: plan.nodes.length,
  })
  expect(kept).toBe(plan.keptBytes)
  const top = [...costs].filter(([path]) => path !== '' && !path.includes('/'))
  expect(top.reduce((sum, [, cost]) => sum + cost.learn, 0)).toBe(plan.learn)
})

test('a folded block shows the sum of its copies', () => {
  const { plan } = resolve(makeDocument(exampleText('resnet18')), library)
  const costs = costByPath(plan?.nodes ?? [])
  const learn = (path: string) => costs.get(path)?.learn ?? 0
  expect(learn('stage2')).toBe(learn('stage2/0') + learn('stage2/1'))
  expect(learn('stage2/0/conv1')).toBe(64 * 128 * 9)
  expect(costs.get('stage2')?.layers).toBe(16)
})
