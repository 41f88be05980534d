/** What the data say that a member should know before training: each with what to do about it, none in the way. */
import type { DataFacts } from '../datasets.ts'
import { training } from '../limits.ts'
import type { Suggestion } from '../runs.ts'
import type { Task } from '../task.ts'

type Known = { task: Task; classes: readonly string[]; facts: DataFacts }
type Cautions = Suggestion['cautions']

/** Pictures this many times wider or higher than others are shown to the network at very different scales. */
const UNLIKE_SIDES = 4
/** A class that covers less of all pixels is easily missed altogether. */
const TINY_AREA = 0.001
/** Below this, the 95 % range of an accuracy of 0.9 is wider than from 0.7 to 1. */
const FEW_TESTS = 20

export function dataCautions(known: Known): Cautions {
  return [
    ...partCautions(known),
    ...testCautions(known),
    ...giveawayCautions(known),
    ...sizeCautions(known),
    ...brightnessCautions(known),
    ...boxCautions(known),
    ...areaCautions(known),
  ]
}

/** Of what the data set itself gives to parts. */
function partCautions({ classes, facts }: Known): Cautions {
  const { absent, given, items, doubles, origin, learners } = facts
  const found: Cautions = []
  const namesOf = (indices: readonly number[]): string =>
    indices.map((index) => classes[index] ?? '').join(', ')
  if (given === null || given.train === 0 || given.test === 0) return found
  const learned = classes.filter((_, index) => !absent?.train.includes(index))
  if (absent && classes.length > 1 && learned.length < 2) {
    const params = { class: learned[0] ?? '', classes: namesOf(absent.train) }
    found.push({ name: 'one_class_train', params })
  } else if (absent && absent.train.length > 0) {
    found.push({ name: 'class_missing_train', params: { classes: namesOf(absent.train) } })
  }
  if (learners === 1 && given.validation === 0) found.push({ name: 'one_patient_train', params: {} })
  if (absent && absent.test.length > 0) {
    found.push({ name: 'class_missing_test', params: { classes: namesOf(absent.test) } })
  }
  const crossing = (doubles?.crossing ?? 0) - (doubles?.aside ?? 0)
  if (crossing > 0) found.push({ name: 'test_also_learned', params: { count: crossing } })
  const sisters = (origin?.crossing ?? 0) - (origin?.aside ?? 0)
  if (sisters > 0) found.push({ name: 'test_patients_learned', params: { count: sisters } })
  const [some = 0, more = 0] = [doubles?.aside ?? 0, origin?.aside ?? 0].sort((one, other) => one - other)
  // Where pictures were left aside for both reasons, it is not known how many for both at once.
  const without = some > 0 ? 0 : items - given.train - given.validation - given.test - more
  if (without > 0) found.push({ name: 'no_part', params: { count: without } })
  return found
}

/** What a network may learn in place of the disease. */
const giveawayCautions = ({ facts: { giveaway = [] } }: Known): Cautions =>
  giveaway.map(({ by, accuracy, chance }) => ({
    name: `giveaway_${by}` as const,
    params: { accuracy: Math.round(accuracy * 100), chance: Math.round(chance * 100) },
  }))

function testCautions({ facts: { given, items } }: Known): Cautions {
  const count = given !== null && given.train > 0 && given.test > 0 ? given.test : Math.round(items / 5)
  return count > 0 && count < FEW_TESTS && items >= training.minItems
    ? [{ name: 'few_test', params: { count, wanted: FEW_TESTS } }]
    : []
}

function sizeCautions({ task, facts: { width, height } }: Known): Cautions {
  // Crops of restoration are taken at the size that pictures have.
  if (task === 'super_resolution' || task === 'denoising') return []
  const times = Math.max(width.max / Math.max(1, width.min), height.max / Math.max(1, height.min))
  if (times < UNLIKE_SIDES) return []
  const least = `${width.min} × ${height.min}`
  const most = `${width.max} × ${height.max}`
  return [{ name: 'sizes_differ', params: { least, most } }]
}

/** Decimal numbers say nothing of what is black and what is white. */
const brightnessCautions = ({ facts: { stretched = 0 } }: Known): Cautions =>
  stretched === 0 ? [] : [{ name: 'brightness_stretched', params: { count: stretched } }]

function boxCautions({ task, classes, facts: { classCounts } }: Known): Cautions {
  const count = Math.min(...classCounts)
  if (task !== 'detection' || count >= training.fewPerClass) return []
  const params = { class: classes[classCounts.indexOf(count)] ?? '', count, wanted: training.fewPerClass }
  return [{ name: 'few_boxes', params }]
}

function areaCautions({ task, classes, facts: { classCounts } }: Known): Cautions {
  if (task !== 'segmentation' && task !== 'volume_segmentation') return []
  const total = classCounts.reduce((sum, one) => sum + one, 0)
  // The background comes first.
  const [, ...marked] = classCounts
  const least = Math.min(...marked)
  if (marked.length === 0 || least >= total * TINY_AREA) return []
  const percent = Math.round((least / total) * 1e5) / 1e3
  return [{ name: 'area_tiny', params: { class: classes[classCounts.indexOf(least, 1)] ?? '', percent } }]
}
