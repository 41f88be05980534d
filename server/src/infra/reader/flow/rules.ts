/** How makers write images of flow: rules as data, and what they say of a series. What they leave open is said to be unsure. */
import type { flowVendors } from '@neuroloom/contract/flow/named'
import type { FlowDirection, FlowSeries, flowUnits } from '@neuroloom/contract/flow/study'
import { cross, dot, type Triple } from '../model.ts'
import type { Traits } from './images.ts'

type Words = 'imageType' | 'component' | 'description' | 'protocol' | 'sequence' | 'label'
type Test = { of: readonly Words[]; is: RegExp }

type Rule = {
  vendor: (typeof flowVendors)[number] | null
  maker: RegExp
  velocity: Test
  magnitude: Test
  /** Made of the others: sums, angiograms, scouts for the VENC. */
  derived: Test
  /** The first group names the direction. */
  direction: Test
  /** Sources disagree on what is positive where it is false. */
  isSigned: boolean
  /** The first group is in cm/s. */
  venc: Test
  unit: (typeof flowUnits)[number]
}

const never = /(?!)/
const inPatient = /(?:^|[^A-Za-z])(RL|LR|AP|PA|FH|HF|SI|IS)(?:$|[^A-Za-z])/i
const inScanner = /(?:^|[^A-Za-z])(RO|PE|SS|RL|LR|AP|PA|FH|HF)(?:$|[^A-Za-z])/i

export const flowRules: readonly Rule[] = [
  {
    vendor: 'siemens',
    maker: /siemens/i,
    velocity: { of: ['imageType'], is: /(^|\\)(P|VELOCITY|PHASE)(\\|$)/ },
    magnitude: { of: ['imageType'], is: /(^|\\)(M|T1|MAGNITUDE)(\\|$)/ },
    // The difference of complex numbers, its sum over directions, angiograms.
    derived: { of: ['imageType'], is: /(^|\\)(MAG|MSUM|ANGIO|PCMRA)(\\|$)/ },
    direction: {
      of: ['label', 'sequence'],
      is: /v\d+_?(?:inplane_)?(rl|lr|ap|pa|fh|hf|in|through)(?![a-z])/i,
    },
    isSigned: true,
    venc: { of: ['label', 'sequence'], is: /(?:^|_)v(\d+(?:\.\d+)?)/i },
    // (stored · slope + intercept) / |intercept| goes from −1 to 1.
    unit: 'phase',
  },
  {
    vendor: 'philips',
    maker: /philips/i,
    velocity: { of: ['imageType'], is: /(^|\\)(P|VELOCITY MAP|VELOCITY|PHASE MAP)(\\|$)/ },
    magnitude: { of: ['imageType'], is: /(^|\\)(M|M_FFE|MAGNITUDE)(\\|$)/ },
    // Magnitudes of differences, beside those of the images themselves.
    derived: { of: ['imageType'], is: /(^|\\)M_PCA(\\|$)/ },
    direction: { of: ['protocol', 'description'], is: inPatient },
    isSigned: true,
    venc: { of: ['description', 'protocol'], is: /venc\s*[_=:]?\s*(\d+)/i },
    unit: 'cm/s',
  },
  {
    vendor: 'ge',
    maker: /^ge\b|general electric/i,
    velocity: {
      of: ['description'],
      is: /^(?!.*(?:anatomy|magnitude)).*(?:^|[^A-Za-z])(RL|LR|AP|PA|FH|HF|SI|IS)(?:$|[^A-Za-z])/i,
    },
    magnitude: { of: ['description'], is: /anatomy|magnitude|\bmag\b/i },
    derived: { of: ['description'], is: /angio|speed|\bcd\b/i },
    direction: { of: ['description'], is: inPatient },
    isSigned: false,
    venc: { of: ['description'], is: /venc\s*[_=:]?\s*(\d+)/i },
    unit: 'mm/s',
  },
  {
    vendor: 'united_imaging',
    maker: /uih|united.?imaging/i,
    velocity: { of: ['description', 'label'], is: inScanner },
    magnitude: { of: ['sequence'], is: /fq/i },
    derived: { of: ['description'], is: /MRA|venc.?scout/i },
    direction: { of: ['label', 'description'], is: inScanner },
    isSigned: false,
    venc: { of: ['label', 'description'], is: /(?:venc\s*[_=:]?\s*|(?:^|[^A-Za-z])v)(\d+)/i },
    unit: 'cm/s',
  },
  {
    vendor: null,
    maker: /^/,
    velocity: { of: ['imageType'], is: /(^|\\)(P|PHASE|PHASE MAP|VELOCITY|VELOCITY MAP)(\\|$)/ },
    magnitude: { of: ['imageType'], is: /(^|\\)(M|M_FFE|MAGNITUDE)(\\|$)/ },
    derived: { of: ['imageType'], is: never },
    direction: { of: ['description', 'sequence', 'protocol'], is: inPatient },
    isSigned: false,
    venc: { of: ['sequence', 'description'], is: /(?:venc\s*[_=:]?\s*|_v)(\d+)/i },
    unit: 'cm/s',
  },
]

export type Seen = Pick<FlowSeries, 'role' | 'direction' | 'unit' | 'venc' | 'unsure'>

export const vendorOf = ({ maker }: Traits): Rule['vendor'] => ruleOf(maker).vendor

const ruleOf = (maker: string): Rule =>
  // The last one takes all.
  flowRules.find((rule) => rule.maker.test(maker)) ?? (flowRules[flowRules.length - 1] as Rule)

/** What a series is by itself; whether a magnitude belongs to these velocities is told by its grid. */
export function recognise(traits: Traits): Seen {
  const rule = ruleOf(traits.maker)
  const role = roleOf(traits, rule)
  if (role !== 'velocity') return { role, direction: null, unit: null, venc: null, unsure: [] }
  const unit = unitOf(traits, rule)
  const venc = vencOf(traits, rule, unit.value)
  const direction = directionOf(traits, rule)
  // A phase alone may be that of a field map.
  const isPlain = traits.vector === null && venc.value === null && direction.value === null
  const unsure: Seen['unsure'] = []
  if (isPlain || (rule.vendor === null && traits.vector === null)) unsure.push('role')
  if (!direction.isSure) unsure.push('direction')
  if (!unit.isSure) unsure.push('unit')
  if (!venc.isSure) unsure.push('venc')
  return { role, direction: direction.value, unit: unit.value, venc: venc.value, unsure }
}

function roleOf(traits: Traits, rule: Rule): Seen['role'] {
  if (found(traits, rule.derived) !== null) return 'unused'
  if (traits.component === 'MAGNITUDE') return 'magnitude'
  if (found(traits, rule.velocity) !== null) return 'velocity'
  if (found(traits, rule.magnitude) !== null) return 'magnitude'
  return traits.vector === null ? 'unused' : 'velocity'
}

/** The first group of the first text that fits, or all of what fits. */
function found(traits: Traits, { of, is }: Test): string | null {
  for (const name of of) {
    const match = is.exec(traits[name])
    if (match) return match[1] ?? match[0]
  }
  return null
}

type Known<T> = { value: T | null; isSure: boolean }

function directionOf(traits: Traits, rule: Rule): Known<FlowDirection> {
  const named = namedDirection(found(traits, rule.direction), traits)
  if (traits.vector) {
    const nearest = nearestDirection(traits.vector, traits.directions)
    const contradicts = rule.isSigned && named !== null && isPatient(named) && named !== nearest.value
    return { value: nearest.value, isSure: nearest.isSure && !contradicts }
  }
  const encoded = traits.encoded ? nearestDirection(traits.encoded, null).value : null
  if (named === null) return { value: encoded, isSure: false }
  const agrees = encoded === null || encoded === named
  return { value: named, isSure: rule.isSigned && isPatient(named) && agrees }
}

const isPatient = (direction: FlowDirection): boolean => /^[A-Z]/.test(direction)

/** Where the plane's axes are meant, nothing tells which way along them is positive. */
function namedDirection(name: string | null, { isPhaseAlongRow }: Traits): FlowDirection | null {
  if (name === null) return null
  const upper = name.toUpperCase()
  const other: Record<string, FlowDirection> = {
    ...{ SI: 'HF', IS: 'FH', SS: '+z' },
    // One maker of software found that these go against the normal.
    ...{ IN: '-z', THROUGH: '-z' },
    PE: isPhaseAlongRow === true ? '+x' : '+y',
    RO: isPhaseAlongRow === true ? '+y' : '+x',
  }
  // Whatever else the rules name is a direction of the patient.
  return other[upper] ?? (upper as FlowDirection)
}

/** In DICOM's axes, in which the left, the back and the head grow. */
const inLps: Partial<Record<FlowDirection, Triple>> = {
  RL: [1, 0, 0],
  LR: [-1, 0, 0],
  AP: [0, 1, 0],
  PA: [0, -1, 0],
  FH: [0, 0, 1],
  HF: [0, 0, -1],
}

/** Null of a patient's direction where nothing tells how the grid lies in the patient. */
export function inGrid(direction: FlowDirection, directions: Traits['directions']): Triple | null {
  const axis = 'xyz'.indexOf(direction[1] ?? '')
  if (axis >= 0) {
    const sign = direction[0] === '-' ? -1 : 1
    return [axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0]
  }
  const vector = inLps[direction]
  return vector && directions ? turnedIntoGrid(vector, directions) : null
}

export const turnedIntoGrid = (vector: Triple, [row, column]: [Triple, Triple]): Triple => [
  dot(vector, row),
  dot(vector, column),
  dot(vector, cross(row, column)),
]

/** The patient's or the grid's axis that comes closest; sure within 2.6°. */
function nearestDirection(vector: Triple, directions: Traits['directions']): Known<FlowDirection> {
  const size = Math.hypot(...vector)
  const axes: [FlowDirection, Triple][] = Object.entries(inLps).map(([name, axis]) => [
    name as FlowDirection,
    axis,
  ])
  if (directions) {
    const [row, column] = directions
    for (const [name, axis] of [
      ['x', row],
      ['y', column],
      ['z', cross(row, column)],
    ] as const)
      axes.push([`+${name}`, axis], [`-${name}`, [-axis[0], -axis[1], -axis[2]]])
  }
  const [best] = axes
    .map(([name, axis]) => ({ name, near: dot(vector, axis) / size }))
    // Of two that lie alike, the patient's stands first.
    .sort((a, b) => (Math.abs(a.near - b.near) < 1e-6 ? 0 : b.near - a.near))
  return { value: best?.name ?? null, isSure: (best?.near ?? 0) > 0.999 }
}

/** Philips and its like tell the VENC by where the scale begins: −VENC in cm/s. */
function vencOf(traits: Traits, rule: Rule, unit: Rule['unit'] | null): Known<number> {
  if (traits.venc !== null) return { value: traits.venc, isSure: true }
  const encoded = traits.encoded ? Math.max(...traits.encoded.map(Math.abs)) : 0
  if (encoded > 0) return { value: encoded / 100, isSure: true }
  const text = Number(found(traits, rule.venc))
  if (text > 0) return { value: text / 100, isSure: rule.vendor !== null }
  const isPhilips = rule.vendor === 'philips'
  const begin = unit === 'cm/s' && traits.intercept < 0 ? -traits.intercept / 100 : null
  return { value: begin !== null && begin <= 20 ? begin : null, isSure: begin !== null && isPhilips }
}

function unitOf({ rescaleType, intercept, venc }: Traits, rule: Rule): Known<Rule['unit']> {
  const told = /^\s*([cm]?m)[^a-z]*s/i.exec(rescaleType)?.[1]?.toLowerCase()
  if (told === 'cm' || told === 'mm' || told === 'm') return { value: `${told}/s`, isSure: true }
  // Thousandths of a radian, as research tools of Philips write.
  if (Math.abs(Math.abs(intercept) - 1000 * Math.PI) < 2) return { value: 'phase', isSure: true }
  if (rule.vendor !== null) return { value: rule.unit, isSure: true }
  const isVenc = venc !== null && Math.abs(-intercept / 100 / venc - 1) < 0.02
  return { value: isVenc ? 'cm/s' : 'phase', isSure: false }
}
