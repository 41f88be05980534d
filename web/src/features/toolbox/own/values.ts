import { openFieldsOf, parameterOf } from '@neuroloom/contract/recipes/fields'
import type { Step } from '@neuroloom/contract/recipes/recipe'
import type { OpenSetting, OwnTool, ToolField, ToolSettings } from '@neuroloom/contract/toolbox/own-tools'

/** What stands in a form at first: the tool's own values, or those of an earlier use that still fit. */
export function valuesOf(fields: readonly ToolField[], before: string | undefined): ToolSettings {
  const earlier = read(before)
  return Object.fromEntries(
    fields.map((field) => {
      const value = earlier[field.name]
      return [field.name, fits(field, value) ? value : field.value]
    }),
  )
}

function fits(field: ToolField, value: unknown): value is ToolSettings[string] {
  if (field.kind === 'number') return typeof value === 'number' && value >= field.min && value <= field.max
  if (field.kind === 'choice') return typeof value === 'string' && field.values.includes(value)
  return typeof value === 'boolean'
}

function read(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Of a changed recipe those settings that it still has, with ranges that hold its own value. */
export function stillOpen(steps: readonly Step[], open: readonly OpenSetting[]): OpenSetting[] {
  return open.flatMap((setting) => {
    const step = steps[setting.step]
    const field = step && openFieldsOf(step).find(({ key }) => key === setting.key)
    if (!step || !field) return []
    const value = parameterOf(step, setting.key)
    if (field.kind === 'choice' || typeof value !== 'number') return [{ ...setting, min: null, max: null }]
    const isWithin = value >= (setting.min ?? value) && value <= (setting.max ?? value)
    return [isWithin ? setting : { ...setting, min: null, max: null }]
  })
}

/** A tool's own steps are there for whoever made it. */
export const stepsInside = ({ made }: OwnTool): readonly Step[] => made?.recipe?.steps ?? []
