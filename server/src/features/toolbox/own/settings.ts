/** The form of a tool, and what comes of it when somebody filled it in. Knows no database. */
import { openFieldsOf, parameterOf, type StepField } from '@neuroloom/contract/recipes/fields'
import { type Recipe, recipeSchema, type Step, stepSchema } from '@neuroloom/contract/recipes/recipe'
import type { OpenSetting, ToolField, ToolSettings } from '@neuroloom/contract/toolbox/own-tools'
import { fail, failFields } from '../../../http/fail.ts'

/** Of a network: whether images are prepared as those were that it learned from. */
export const PREPARED = 'prepared'

const nameOf = ({ step, key }: OpenSetting): string => `${step}.${key}`

/** Settings that are there no more, after a newer recipe was taken, are left out. */
export const recipeForm = ({ steps }: Recipe, open: readonly OpenSetting[]): ToolField[] =>
  open.flatMap((setting) => {
    const found = find(steps, setting)
    return found ? [toldField(setting, found)] : []
  })

export const networkForm = (open: readonly OpenSetting[]): ToolField[] =>
  open.map(({ label }) => ({ kind: 'prepared', name: PREPARED, label, value: true }))

/** Refuses settings that the steps do not have, twice the same, and ranges that leave out what the recipe itself says. */
export function requireOpen({ steps }: Recipe, open: readonly OpenSetting[]): void {
  const seen = new Set<string>()
  for (const [place, setting] of open.entries()) {
    const found = find(steps, setting)
    if (!found || seen.has(nameOf(setting))) throw failFields({ [`open.${place}`]: 'form.invalid' })
    seen.add(nameOf(setting))
    const { min, max } = setting
    if (found.field.kind === 'choice') {
      if (min !== null || max !== null) throw failFields({ [`open.${place}`]: 'form.invalid' })
      continue
    }
    const value = Number(found.value)
    const from = min ?? found.field.min
    const to = max ?? found.field.max
    if (from < found.field.min || to > found.field.max || value < from || value > to)
      throw failFields({ [`open.${place}`]: 'form.invalid' })
  }
}

/** Of a network there is one setting, where its training was prepared at all. */
export function requireOpenOfNetwork(hasRecipe: boolean, open: readonly OpenSetting[]): void {
  const isFine = ({ step, key, min, max }: OpenSetting): boolean =>
    hasRecipe && step === 0 && key === PREPARED && min === null && max === null
  if (open.length > 1 || !open.every(isFine)) throw failFields({ 'open.0': 'form.invalid' })
}

/** The recipe with what somebody chose; anything that the form does not have is refused. */
export function filledIn(recipe: Recipe, form: readonly ToolField[], settings: ToolSettings): Recipe {
  requireKnown(form, settings)
  const steps = recipe.steps.map((step, place) => {
    const own = form.filter(({ name }) => name.startsWith(`${place}.`))
    return own.reduce((one, field) => withValue(one, field, settings[field.name] ?? field.value), step)
  })
  const made = recipeSchema.safeParse({ v: recipe.v, steps })
  if (!made.success) throw fail('own_tool_settings')
  return made.data
}

/** Whether images are prepared before the network sees them. */
export function isPrepared(form: readonly ToolField[], settings: ToolSettings): boolean {
  requireKnown(form, settings)
  const value = settings[PREPARED] ?? true
  if (typeof value !== 'boolean') throw failFields({ [`settings.${PREPARED}`]: 'form.invalid' })
  return value
}

function requireKnown(form: readonly ToolField[], settings: ToolSettings): void {
  const known = new Set(form.map(({ name }) => name))
  const unknown = Object.keys(settings).find((name) => !known.has(name))
  if (unknown !== undefined) throw failFields({ [`settings.${unknown}`]: 'form.invalid' })
}

function withValue(step: Step, field: ToolField, value: unknown): Step {
  if (field.kind === 'number' && typeof value === 'number' && (value < field.min || value > field.max))
    throw fail('own_tool_range', { name: field.label || field.key, min: field.min, max: field.max })
  const key = field.name.slice(field.name.indexOf('.') + 1)
  const made = stepSchema.safeParse({ ...step, [key]: value })
  // A text for a number, half a pixel, a choice that there is not.
  if (!made.success) throw failFields({ [`settings.${field.name}`]: 'form.invalid' })
  return made.data
}

type Found = { step: Step; field: StepField; value: string | number }

function find(steps: readonly Step[], { step: place, key }: OpenSetting): Found | null {
  const step = steps[place]
  const field = step && openFieldsOf(step).find((one) => one.key === key)
  const value = step ? parameterOf(step, key) : null
  return step && field && value !== null ? { step, field, value } : null
}

function toldField(setting: OpenSetting, { step, field, value }: Found): ToolField {
  const about = { name: nameOf(setting), label: setting.label, key: setting.key }
  if (field.kind === 'choice')
    return { ...about, kind: 'choice', do: wordsOf(step), value: String(value), values: [...field.values] }
  const min = Math.max(setting.min ?? field.min, field.min)
  const max = Math.min(setting.max ?? field.max, field.max)
  const { by = 1, unit = null } = field
  return { ...about, kind: 'number', value: Number(value), min, max, by, unit }
}

function wordsOf(step: Step): Extract<ToolField, { kind: 'choice' }>['do'] {
  switch (step.do) {
    case 'size':
    case 'pad':
    case 'flip':
    case 'index':
    case 'grow':
    case 'remap':
      return step.do
    default:
      throw new Error(`The step ${step.do} has no open choice`)
  }
}
