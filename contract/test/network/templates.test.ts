import { modelHash } from '@neuroloom/contract/network/document/canonical'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { templateTasks } from '@neuroloom/contract/network/template-tasks'
import { instantiate, presetSizes, templates } from '@neuroloom/contract/network/templates'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'
import { describe, expect, test } from 'vitest'
import { builtIn, builtInIds, exampleIds, library, makeDocument } from './wire.ts'

const byId = templates.map((template) => [template.id, template] as const)

test('every network is offered as a template, and those of the AI builder are among them', () => {
  const ids = templates.map(({ id }) => id)
  expect([...ids].sort()).toEqual([...exampleIds].sort())
  expect(ids).toEqual(expect.arrayContaining([...builtInIds]))
})

test('templates stand together by task', () => {
  expect([...new Set(templates.map(({ task }) => task))]).toEqual([...templateTasks])
  const order = templates.map(({ task }) => templateTasks.indexOf(task))
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

describe.each(byId)('%s', (id, template) => {
  const document = builtIn(id)

  test('is named, solves its task and names its paper', () => {
    expect([document.name, document.task]).toEqual([id, template.task])
    expect([...document.heads.values()].every(({ task }) => task === template.task)).toBe(true)
    for (const part of [template.source.title, template.source.url, `${template.source.year}`]) {
      expect(document.source).toContain(part)
    }
  })

  test.each(presetSizes)('the %s preset names parameters and sizes that exist', (size) => {
    const preset = template[size]
    const made = instantiate(document, preset)
    const { plan, errors, warnings } = resolve(made, library)
    expect(errors).toEqual([])
    expect(warnings.filter(({ code }) => code !== 'fixed_size')).toEqual([])
    for (const [name, value] of Object.entries(preset.params)) {
      const spec = document.params.get(name)
      expect(value).toBeGreaterThanOrEqual(spec?.min ?? Number.NaN)
      expect(value).toBeLessThanOrEqual(spec?.max ?? Number.NaN)
      expect(value).not.toBe(spec?.default)
      expect(made.params.get(name)?.default).toBe(value)
    }
    for (const type of Object.values(plan?.inputs ?? {})) {
      expect(type.k === 'map' ? type.s : null).toEqual(preset.size)
    }
  })

  test('the full preset is the document as it is written', () => {
    expect(modelHash(instantiate(document, template.full), library)).toBe(modelHash(document, library))
  })

  test('in full has the published number of parameters', () => {
    const { plan } = resolve(instantiate(document, template.full), library)
    if (template.published !== null) expect(plan?.learn).toBe(template.published)
  })

  test('in small trains without a graphics card', () => {
    const { plan } = resolve(instantiate(document, template.small), library)
    expect(plan?.learn).toBeLessThanOrEqual(2_050_000)
    expect(plan?.macs).toBeLessThanOrEqual(1e9)
  })

  test('has knobs with bounds, and says which of them the data decide', () => {
    for (const { min, max } of document.params.values()) expect(min).toBeLessThan(max ?? Number.NaN)
    const roles = [...document.params.values()].flatMap(({ role }) => role ?? [])
    const needed = {
      classification: ['classes', 'channels'],
      segmentation: ['classes', 'channels'],
      'super-resolution': ['channels', 'factor'],
      denoising: ['channels'],
      detection: ['classes', 'channels'],
      flow: ['factor'],
    }
    // A table's columns are no channels of a picture: data of pictures are refused.
    expect(roles).toEqual(id === 'mlp' ? ['classes'] : needed[template.task])
  })

  test('survives writing and reading in both sizes', () => {
    for (const size of presetSizes) {
      const made = instantiate(document, template[size])
      expect(modelHash(makeDocument(writeYaml(made, library)), library)).toBe(modelHash(made, library))
    }
  })
})

test('blocks take the words of whoever starts from a template, and it stays the same model', () => {
  const document = builtIn('unet')
  const { full } = templates.find(({ id }) => id === 'unet') ?? { full: { params: {}, size: null } }
  const made = instantiate(document, full, (name) => (name === 'down' ? 'Шаг вниз' : ''))
  expect([...made.blocks].map(([name, { title }]) => [name, title])).toEqual([
    ['down', 'Шаг вниз'],
    ['up', undefined],
  ])
  expect(modelHash(made, library)).toBe(modelHash(document, library))
})

test('a network for lists of numbers refuses pictures', () => {
  const { errors } = resolve(builtIn('mlp'), {
    ...library,
    data: { classes: 2, channels: 3, size: [64, 64] },
  })
  expect(errors.map(({ code }) => code)).toEqual(['data_channels'])
})

test.each(['unetpp', 'fcn8', 'deeplab', 'attention_unet', 'unet'])('%s marks pictures of any size', (id) => {
  const data = { classes: 3, channels: 1, size: [75, 90] }
  const { plan, errors } = resolve(builtIn(id), { ...library, data })
  expect(errors).toEqual([])
  const last = plan?.nodes.find((node) => node.id === plan.heads.main?.from)
  expect(last?.type).toEqual({ k: 'map', c: 3, s: [75, 90] })
})

test.each(['yolo', 'centernet', 'fcos'])('%s searches pictures of any size', (id) => {
  const data = { classes: 3, channels: 1, size: [75, 90] }
  expect(resolve(builtIn(id), { ...library, data }).errors).toEqual([])
})

describe.each(['srcnn', 'espcn', 'edsr', 'edsr_small', 'srresnet'])('%s', (id) => {
  test.each([2, 3, 4, 5, 6, 7, 8])('enlarges %i times', (factor) => {
    const { plan, errors } = resolve(builtIn(id), { ...library, data: { factor, channels: 1, size: [9, 7] } })
    expect(errors).toEqual([])
    const last = plan?.nodes.find((node) => node.id === plan.heads.main?.from)
    expect(last?.type).toEqual({ k: 'map', c: 1, s: [9 * factor, 7 * factor] })
  })
})
