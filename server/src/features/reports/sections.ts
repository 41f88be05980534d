/** What a report says, section by section: data in, blocks of words, tables and drawings out. */
import type { Evidence } from '@neuroloom/contract/evidence'
import { hasEnoughCases } from '@neuroloom/contract/evidence/enough-cases'
import { comparison } from '@neuroloom/contract/limits'
import { mainMetric } from '@neuroloom/contract/metric'
import type { Report, ReportBlock, ReportSection } from '@neuroloom/contract/reports'
import { isRestoration } from '@neuroloom/contract/task'
import { abstractBlocks } from './abstract.ts'
import { checklistOf } from './claim.ts'
import { classNames } from './class-names.ts'
import { crossSentences } from './cross-rounds.ts'
import { demographicBlocks } from './demographics.ts'
import { sideBySide, splitsOf } from './external.ts'
import type { Facts } from './facts.ts'
import { itemKey, pictureText } from './item-words.ts'
import { labelBlocks } from './labels.ts'
import { methodBlocks } from './methods.ts'
import { patientLimits, patientSentences } from './patients.ts'
import { resultBlocks, trainingDrawings } from './results.ts'
import { answeredBlock, notStatedBlocks, studyBlocks, summaryRows } from './statements.ts'
import type { Words } from './words.ts'
import { neverFoundNotes, worstClassSentences } from './worst-class.ts'

export type Structure = { svg: string; width: number; height: number; source: string; name: string }
export type ShownPicture = { url: string; heat: string | null; name: string; caption: string }

/** The drawn network, what it did worst and best on, and where it looked in the worst. */
type Shown = {
  structure: Structure
  pictures: ShownPicture[]
  best: ShownPicture[]
  heats: ShownPicture[]
}

export function sectionsOf(
  facts: Facts,
  words: Words,
  { structure, pictures, best, heats }: Shown,
): Report['sections'] {
  const section = (id: ReportSection, blocks: ReportBlock[]) => ({
    id,
    title: titles.has(id) ? words.say(`section.${id}`) : words.t(`section.${id}`),
    blocks,
  })
  const block = (text: string, some: ShownPicture[]): ReportBlock[] =>
    some.length === 0 ? [] : [{ kind: 'pictures', text, pictures: some }]
  const shown = [...block(pictureText(facts, words), pictures), ...block(words.t('pictures.heat'), heats)]
  const sections = [
    section('summary', summary(facts, words, { structure, best, worst: pictures })),
    section('study', studyBlocks(facts, words)),
    section('data', [
      ...data(facts, words),
      ...labelBlocks(facts.labels, words),
      ...demographicBlocks(facts.people, words),
    ]),
    section('split', split(facts, words)),
    section('network', network(facts, words, structure)),
    section('methods', methodBlocks(facts, words, method(facts, words))),
    section('settings', settings(facts, words)),
    section('training', training(facts, words)),
    section('results', [...resultBlocks(facts, words), ...sideBySide(facts, words)]),
    section('pictures', shown),
    section('limits', [
      {
        kind: 'notes',
        notes: [
          ...[...limitsOf(facts), ...patientLimits(splitOf(facts), words)].map(([key, params]) =>
            words.t(`limit.${key}`, params),
          ),
          ...neverFoundNotes(facts.test, words),
          ...(facts.beside.every(({ isInternal }) => isInternal) ? [words.say('limit.noExternal')] : []),
        ],
      },
    ]),
    section('origin', origin(facts, words)),
  ].filter(({ blocks }) => blocks.length > 0)
  return [
    ...sections,
    section('claim', [...notStatedBlocks(facts, words), checklistOf(facts, words, sections)]),
  ]
}

/** Those of whose sections the words stand in the file of the checklist. */
const titles: ReadonlySet<ReportSection> = new Set(['study', 'methods', 'claim'])

type Row = { label: string; value: string }

/** Rows whose value is known. */
const known = (rows: readonly (readonly [string, string | null])[], words: Words): ReportBlock => ({
  kind: 'facts',
  facts: rows.flatMap(([key, value]): Row[] =>
    value === null ? [] : [{ label: words.t(`fact.${key}`), value }],
  ),
})

type Glance = { structure: Structure; best: ShownPicture[]; worst: ShownPicture[] }

/** The abstract: what was asked and reached, the score and the images at a glance, what it was made of. */
function summary(facts: Facts, words: Words, { structure: { name }, best, worst }: Glance): ReportBlock[] {
  const { test, inputs, project } = facts
  const rows = summaryRows(facts, words)
  const study = words.say('identification', {
    network: name,
    parameters: words.number(inputs.plan.learn),
    task: words.name('task', test.task),
  })
  return [
    { kind: 'text', text: study, anchor: 'identification' },
    {
      kind: 'text',
      text: words.joined([
        ...reachedSentences(facts, words),
        ...tooFewCases(facts, words),
        ...crossSentences(facts, words),
      ]),
    },
    ...sentencesBlock(worstClassSentences(test, words), words),
    ...abstractBlocks(facts, words, { best, worst }),
    ...(rows.length > 0 ? [{ kind: 'facts' as const, facts: rows }] : []),
    known(
      [
        ['task', words.name('task', test.task)],
        ['project', project.name],
        ['description', project.description === '' ? null : project.description],
        ['network', name],
        ['dataset', test.datasetName],
        ['tested', words.date(test.endedAt)],
      ],
      words,
    ),
    answeredBlock(facts, words),
  ]
}

type Reached = Pick<Facts, 'isCross' | 'items'> & {
  test: Pick<Facts['test'], 'task' | 'metrics' | 'validation'>
  inputs: Pick<Facts['inputs'], 'part'>
  evidence: Pick<Evidence, 'intervals'> | null
}

/** How many items were tested, what was reached on them, and the range of that figure. */
export function reachedSentences(facts: Reached, words: Words): string[] {
  const { test, evidence, items } = facts
  const main: string = mainMetric[test.task]
  const range = evidence?.intervals[main]
  const reached = words.t(`summary.${itemKey(summaryOf(facts), test.task)}`, {
    count: items,
    items: words.number(items),
    splits: splitsOf(test),
    metric: words.name('metric', main),
    value: words.metric(main, test.metrics[main]),
  })
  if (!range) return [reached]
  const [low, high] = [words.metric(main, range[0]), words.metric(main, range[1])]
  return [reached, words.t('summary.interval', { low, high })]
}

/** Why there is no interval, where there is none. */
const tooFewCases = ({ evidence }: Facts, words: Words): string[] =>
  evidence && !hasEnoughCases(evidence)
    ? [words.figure('interval.tooFew', { groups: words.number(evidence.groups) })]
    : []

const sentencesBlock = (sentences: readonly string[], words: Words): ReportBlock[] =>
  sentences.length > 0 ? [{ kind: 'text', text: words.joined(sentences) }] : []

function summaryOf({ isCross, inputs }: Reached): string {
  if (isCross) return 'cross'
  return inputs.part === 'held-out' ? 'heldOut' : 'other'
}

function data({ test, learned, tested }: Facts, words: Words): ReportBlock[] {
  const sets = learned && tested && learned.id !== tested.id ? [learned, tested] : [tested ?? learned]
  const nameOf = classNames(test.task, words)
  const blocks = sets.flatMap((set): ReportBlock[] => {
    if (!set?.facts) return []
    const { facts } = set
    const span = ({ min, median, max }: { min: number; median: number; max: number }): string =>
      min === max
        ? words.number(min)
        : words.t('data.span', {
            min: words.number(min),
            median: words.number(median),
            max: words.number(max),
          })
    const list: ReportBlock = known(
      [
        ['dataset', set.name],
        ['items', words.number(facts.items)],
        ['patients', facts.patients === null ? null : words.number(facts.patients)],
        ['width', span(facts.width)],
        ['height', span(facts.height)],
        ['depth', facts.depth === null ? null : span(facts.depth)],
        [
          'spacing',
          facts.spacing === null
            ? null
            : `${facts.spacing.map((side) => words.number(side, 2)).join(' × ')} mm`,
        ],
        ['channels', words.t(facts.channels === 1 ? 'data.grey' : 'data.colour')],
        ['factor', facts.factor === null ? null : `× ${facts.factor}`],
        ['setAside', words.number(set.problemCount)],
      ],
      words,
    )
    const counts: ReportBlock = {
      kind: 'table',
      caption: words.t('data.classes'),
      head: [words.t('table.class'), words.t(`data.count.${test.task}`)],
      rows: set.classes.map((name, index) => [nameOf(name), words.number(facts.classCounts[index] ?? 0)]),
    }
    return isRestoration(test.task) ? [list] : [list, counts]
  })
  return blocks.length > 0 ? blocks : [{ kind: 'text', text: words.t('data.forgotten') }]
}

const splitOf = ({ test, training, learned }: Facts) => ({
  facts: learned?.facts ?? null,
  isGiven: (training ?? test).validation.method === 'given',
})

function split(facts: Facts, words: Words): ReportBlock[] {
  const { test, training, inputs, isCross } = facts
  const { validation } = training ?? test
  // Of a cross-validation what a run counts last are the images of its last part.
  const counts = (isCross ? {} : training?.counts) ?? {}
  const how = {
    holdout: () =>
      words.t(
        'split.holdout',
        validation.method === 'holdout' ? { train: validation.train, test: validation.test } : {},
      ),
    kfold: () =>
      words.t(
        training?.state === 'stopped' ? 'split.kfoldStopped' : 'split.kfold',
        validation.method === 'kfold' ? { splits: validation.splits } : {},
      ),
    given: () => words.t('split.given'),
  }[validation.method]()
  const unit = patientSentences(splitOf(facts), words)
  const tested = isCross
    ? crossText(facts, words)
    : words.t(inputs.part === 'held-out' ? 'split.heldOut' : 'split.otherData')
  const count = (name: string): string | null =>
    counts[name] === undefined ? null : words.number(counts[name])
  return [
    { kind: 'text', text: words.joined([how, unit, tested]), ...(isCross ? { anchor: 'once' } : {}) },
    known(
      [
        ['train', count('train')],
        ['validation', count('validation')],
        ['test', count('test')],
        ['testedOnce', isCross ? words.number(facts.items) : null],
        ['seed', String(validation.seed)],
      ],
      words,
    ),
  ]
}

/** Each image tested once, and what the network that is handed out learned from. */
function crossText({ test, evidence }: Facts, words: Words): string {
  const splits = splitsOf(test)
  const kept = evidence?.cross?.kept
  return words.joined([
    words.t('split.once'),
    kept === undefined
      ? words.t('split.handedOutUnknown', { splits })
      : words.t('split.handedOut', { splits, part: kept + 1 }),
  ])
}

function network(
  { inputs: { plan }, test }: Facts,
  words: Words,
  { svg, width, height, source, name }: Structure,
): ReportBlock[] {
  const [input] = Object.values(plan.inputs)
  const size = input?.k === 'map' ? [input.c, ...input.s].join(' × ') : null
  const classes = test.classes.map(classNames(test.task, words))
  return [
    known(
      [
        ['network', name],
        ['source', source === '' ? null : source],
        ['parameters', words.number(plan.learn)],
        [
          'macs',
          words.t('network.millions', { count: words.number(plan.macs / 1e6, plan.macs < 1e8 ? 1 : 0) }),
        ],
        ['input', size],
        ['outputs', classes.length === 0 ? null : classes.join(', ')],
      ],
      words,
    ),
    {
      kind: 'drawings',
      drawings: [
        {
          caption: words.t('network.structure'),
          text: words.t('network.structureText', { name }),
          svg,
          width,
          height,
        },
      ],
    },
  ]
}

/** Settings that say nothing about a task are left out. */
function settings({ test, training }: Facts, words: Words): ReportBlock[] {
  const { hyper } = training ?? test
  const shown = Object.entries(hyper).filter(
    ([name]) =>
      !(name === 'depth' && hyper.depth === 1) && !(name === 'numClass' && isRestoration(test.task)),
  )
  const written = (name: string, value: unknown): string => {
    if (Array.isArray(value)) return `${value.join(' × ')} ${words.t('unit.pixels')}`
    if (typeof value === 'boolean') return words.t(value ? 'yes' : 'no')
    if (typeof value === 'number')
      return name === 'seed'
        ? String(value)
        : new Intl.NumberFormat(words.language, { maximumSignificantDigits: 6 }).format(value)
    return words.name('choice', String(value))
  }
  return [
    {
      kind: 'facts',
      facts: shown.map(([name, value]) => ({
        label: words.name('setting', name),
        value: written(name, value),
      })),
    },
  ]
}

function training(facts: Facts, words: Words): ReportBlock[] {
  const { training: run } = facts
  if (run === null) return [{ kind: 'text', text: words.t('training.forgotten') }]
  const spent =
    run.startedAt && run.endedAt ? words.duration(run.endedAt.getTime() - run.startedAt.getTime()) : null
  const last = facts.curves.reduce((most, { epoch }) => Math.max(most, epoch), 0)
  return [
    known(
      [
        ['epochs', `${words.number(last)} / ${words.number(run.hyper.epochs)}`],
        ['time', spent],
        ['computedOn', run.computedOn],
        ['ended', words.t(run.state === 'stopped' ? 'training.stopped' : 'training.done')],
      ],
      words,
    ),
    ...trainingDrawings(facts, words),
  ]
}

/** Fewer independent cases than this say little about all the others. */
const FEW_CASES = 30
const IMBALANCE = 3

/** What the reader must keep in mind: told by the facts themselves. */
function limitsOf({
  test,
  training,
  isCross,
  inputs,
  evidence,
  learned,
  items,
}: Facts): [string, Record<string, string | number>][] {
  const limits: [string, Record<string, string | number>][] = [['notMedical', {}]]
  const cases = evidence?.groups ?? items
  if (cases < FEW_CASES) limits.push(['fewCases', { count: cases }])
  if (isCross || inputs.part === 'held-out') limits.push(['oneSource', {}])
  if (isCross) limits.push(['crossNetworks', { splits: splitsOf(test) }])
  if (inputs.part === 'held-out' && training?.validation.method === 'kfold')
    limits.push(['onePart', { splits: splitsOf(training) }])
  // Tests of before chose it on their own images.
  if (test.task === 'detection' && !evidence?.decisions.length) limits.push(['sameThreshold', {}])
  if (training?.state === 'stopped') limits.push(['stopped', {}])
  const counts = learned?.facts?.classCounts ?? []
  const [most, least] = [Math.max(...counts, 0), Math.min(...counts, Number.POSITIVE_INFINITY)]
  const isPerImage = test.task === 'classification' || test.task === 'multilabel'
  if (isPerImage && least > 0 && most / least >= IMBALANCE) limits.push(['imbalanced', {}])
  if (learned && learned.problemCount > 0) limits.push(['setAside', { count: learned.problemCount }])
  return limits
}

/** How the intervals were found or why there are none, for those who repeat or cite them. */
function method({ test, evidence }: Facts, words: Words): string {
  if (!evidence) return ''
  if (!hasEnoughCases(evidence))
    return words.t('origin.noIntervals', { cases: evidence.groups, fewest: comparison.fewestGroups })
  const drawn = {
    groups: evidence.groups,
    resamples: words.number(evidence.resamples),
    seed: comparison.seed,
  }
  const precision = test.task === 'detection' ? ` ${words.t('origin.precision')}` : ''
  return (
    words.t(evidence.method === 'score' ? 'origin.intervalsScore' : 'origin.intervals', drawn) + precision
  )
}

function origin(facts: Facts, words: Words): ReportBlock[] {
  const { test, training, isCross, inputs, artifacts } = facts
  const fileHash = (kind: string): string | null => artifacts.find((one) => one.kind === kind)?.sha256 ?? null
  return [
    { kind: 'text', text: words.t('origin.text') },
    known(
      [
        ['testRun', isCross ? null : test.id],
        ['trainingRun', training?.id ?? null],
        ['trained', training ? words.date(training.endedAt) : null],
        ['tested', isCross ? null : words.date(test.endedAt)],
        ['dataHash', inputs.manifestSha256],
        ['planHash', inputs.planHash],
        // A training's own inputs hold the weights that it began with.
        ['weightsHash', (isCross ? null : inputs.weightsSha256) ?? fileHash('weights')],
        ['onnxHash', fileHash('onnx')],
        ['computedOn', test.computedOn],
      ],
      words,
    ),
  ]
}
