import { readdirSync, readFileSync } from 'node:fs'
import { problemReasons } from '@neuroloom/contract/datasets'
import { runErrors, runWarnings } from '@neuroloom/contract/engine'
import { errors } from '@neuroloom/contract/errors'
import { fileReasons } from '@neuroloom/contract/file-reasons'
import { flowFailures } from '@neuroloom/contract/flow/calls'
import { phantoms } from '@neuroloom/contract/flow/named'
import { flowFileFaults, flowProblems } from '@neuroloom/contract/flow/study'
import { networkTask, projectTasks, tasks } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { flatten, isKnown, namespaces, type Texts, textsOf, usesIn } from './texts.ts'

const languages = ['en', 'zh', 'ru'] as const
/** Endings that i18next puts on keys of counted things; which ones a language has is its own affair. */
const plural = /_(zero|one|two|few|many|other)$/

/** Keys without such an ending; `labels_too_few` is no plural, because there is no `labels_too_other`. */
function stemOf(namespace: string, key: string): string {
  const stem = key.replace(plural, '')
  return languages.some((language) => `${stem}_other` in textsOf(language, namespace)) ? stem : key
}

describe.each(namespaces)('the texts of %s', (namespace) => {
  const english = textsOf('en', namespace)

  it.each(['zh', 'ru'] as const)('have the same keys in en and %s', (language) => {
    const stems = (texts: Texts) =>
      [...new Set(Object.keys(texts).map((key) => stemOf(namespace, key)))].sort()
    expect(stems(textsOf(language, namespace))).toEqual(stems(english))
  })

  it.each(languages)('have every plural form that %s needs', (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const texts = textsOf(language, namespace)
    const counted = new Set(
      Object.keys(texts)
        .map((key) => stemOf(namespace, key))
        .filter((stem) => !(stem in texts)),
    )
    const missing = [...counted].flatMap((stem) =>
      forms.map((form) => `${stem}_${form}`).filter((key) => !(key in texts)),
    )
    expect(missing).toEqual([])
  })

  it.each(['zh', 'ru'] as const)('are translated into %s', (language) => {
    const same = Object.entries(textsOf(language, namespace)).filter(
      // What is drawn is named, not said.
      ([key, text]) => text === english[key] && !isLanguageFree(text) && !key.endsWith('.drawn'),
    )
    expect(same).toEqual([])
  })

  it('take the same params in each language', () => {
    const differing = languages.flatMap((language) =>
      Object.entries(textsOf(language, namespace))
        .filter(([key]) => !plural.test(key))
        .filter(([key, text]) => paramsOf(text) !== paramsOf(english[key] ?? ''))
        .map(([key]) => `${language} ${key}`),
    )
    expect(differing).toEqual([])
  })
})

describe('the pages', () => {
  const source = `${import.meta.dirname}/../src/`
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )

  it('use only keys that exist', () => {
    const unknown = files.flatMap((file) =>
      usesIn(readFileSync(source + file, 'utf8'))
        .filter((use) => !isKnown(use))
        .map(({ key, from }) => `${file}: ${key} (${from.join(', ') || 'any'})`),
    )
    expect(files.length).toBeGreaterThan(50)
    expect(unknown).toEqual([])
  })
})

describe('the name of a task', () => {
  it.each(languages)('is one in %s, however a network’s document spells it', (language) => {
    const texts = textsOf(language, 'tasks')
    for (const [task, spelled] of Object.entries(networkTask)) {
      if (task.replace('_', '-') === spelled) expect(texts[`name.${spelled}`]).toBe(texts[`name.${task}`])
    }
    for (const part of ['name', 'answer', 'about', 'example', 'suggestion', 'sentence'])
      for (const task of projectTasks) expect(texts).toHaveProperty([`${part}.${task}`])
    const site = textsOf(language, 'site')
    for (const part of ['provide', 'get'])
      for (const task of tasks) expect(site).toHaveProperty([`${part}.${task}`])
  })
})

/** Whoever learns a word on one page finds it on the others. Words that are only typed to search may be any. */
describe('one thing has one name', () => {
  const others = {
    en: [/fully[- ]connected/i, /personal data/i, /dataset/, /super-resolution models?/i],
    zh: [/稠密层|线性层/, /个人数据|病人|患者资料/],
    ru: [/линейн\S+ сло/i, /персональн\S+ данн/i, /датасет/i],
  }
  it.each(languages)('in %s', (language) => {
    const found = namespaces.flatMap((namespace) =>
      Object.entries(textsOf(language, namespace))
        .filter(([key, text]) => !key.endsWith('.words') && others[language].some((one) => one.test(text)))
        .map(([key, text]) => `${namespace}:${key}: ${text}`),
    )
    expect(found).toEqual([])
  })
})

describe('every name that the server or the engine may send has its text', () => {
  it.each(Object.keys(errors))('failure %s', (name) => {
    expect(textsOf('en', 'errors')).toHaveProperty([name])
  })
  it.each([...new Set([...fileReasons, ...problemReasons])])('set aside: %s', (name) => {
    expect(stemsBelow('datasets', `problem.${name}`)).not.toEqual([])
  })
  it.each(runErrors)('run failure %s', (name) => {
    expect(stemsBelow('results', `runError.${name}`)).not.toEqual([])
  })
  it.each(runWarnings)('run warning %s', (name) => {
    expect(stemsBelow('results', `runWarning.${name}`)).not.toEqual([])
  })
  it.each([
    ...flowProblems.flatMap((name) => [`problem.${name}`, `remedy.${name}`]),
    ...flowFileFaults.map((name) => `fault.${name}`),
    ...flowFailures.map((name) => `failure.${name}`),
    ...phantoms.flatMap((name) => [`flow.${name}.name`, `flow.${name}.text`]),
  ])('4D flow: %s', (key) => {
    expect(textsOf('en', 'flow')).toHaveProperty([key])
  })
})

/** The key itself, its plural forms, or keys below it. */
function stemsBelow(namespace: string, key: string): string[] {
  return Object.keys(textsOf('en', namespace)).filter(
    (one) => one === key || one.startsWith(`${key}.`) || stemOf(namespace, one) === key,
  )
}

/** Names, units, symbols, commands and examples that are written alike everywhere. */
function isLanguageFree(text: string): boolean {
  if (/^ {2}(cd|pip|python) /.test(text)) return true
  const rest = text.replace(/\{\{[^}]*\}\}|<[^>]*>|`[^`]*`/g, '')
  return !/\p{L}{2}/u.test(rest) || names.has(text)
}

const names = new Set([
  'Neuroloom',
  // Chinese writes units as the SI does.
  ...['cm/s', 'mL', 'mL/s', 'mm²', 'mJ', 'mW', 'mm', 'ms', '{{size}} mm', 'VENC', 'MP4', 'WebM'],
  '{{number}} dB',
  'ROC AUC',
  'NIfTI (.nii, .nii.gz)',
  'L1 + (1 − SSIM)',
  'name@hospital.org',
  ...['WeChat Pay', 'Alipay'],
  ...['CC BY 4.0', 'CC BY-NC 4.0', 'Apache 2.0', 'MIT', 'CT', 'PET', 'OCT'],
  'DRIPE',
  'AdamW',
  'Adam',
  'SGD',
  'RMSprop',
  'ROC-AUC',
  'ROC',
  'Dice',
  'IoU',
  ...[
    'ReLU',
    'ReLU6',
    'Leaky ReLU',
    'PReLU',
    'ELU',
    'SELU',
    'GELU',
    'SiLU',
    'Mish',
    'Hard Swish',
    'Hard Sigmoid',
  ],
  ...[
    'Sigmoid',
    'Tanh',
    'Softplus',
    'Softmax',
    'LSTM',
    'GRU',
    'CBAM',
    'ASPP',
    'SPPF',
    'MBConv',
    'RCAB',
    'BiFPN',
  ],
  ...['ResNet-18', 'ResNet-50', 'MobileNetV2', 'DenseNet-121', 'VGG-16', 'ViT-Tiny', 'Swin-Tiny'],
  ...['U-Net', 'Attention U-Net', 'U-Net++', '3D U-Net', 'FCN-8s', 'DeepLab v3+', 'SRCNN', 'ESPCN', 'EDSR'],
  ...['SRResNet', 'CenterNet', 'FCOS', '4DFlowNet'],
  ...[
    'HD95',
    'DnCNN',
    'Pascal VOC',
    'COCO',
    'YOLO',
    'PSNR',
    'SSIM',
    'mAP@50',
    'mAP@50:95',
    'AP@50',
    'AP@50:95',
    'Charbonnier',
    'L1 + SSIM',
  ],
])

const paramsOf = (text: string): string =>
  [...new Set([...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map(([, name]) => name))].sort().join(' ')

it('reads nested texts by dotted keys', () => {
  expect(flatten({ a: { b: 'x' }, c: 'y' })).toEqual({ 'a.b': 'x', c: 'y' })
})
