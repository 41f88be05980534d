/** The nine options as a call takes them. What only shows against the data, such as an even window, says `flowProblems`. */
import * as z from 'zod'
import { flow as limits } from '../limits.ts'
import { type FlowOptionName, flowOptions, optionProblem } from './options.ts'

const option = <Value extends z.ZodType>(name: FlowOptionName, schema: Value) =>
  schema.refine((value) => optionProblem(name, value) === null, 'form.invalid')
const number = (name: FlowOptionName & NumberName) =>
  option(name, z.number().min(flowOptions[name].min).max(flowOptions[name].max))
type NumberName = {
  [Name in FlowOptionName]: (typeof flowOptions)[Name]['kind'] extends 'number' ? Name : never
}[FlowOptionName]

export const flowSettingsSchema = z.object({
  imageClarity: number('imageClarity'),
  spacingBetweenArrows: number('spacingBetweenArrows'),
  arrowColor: option('arrowColor', z.string().max(40)),
  arrowWidth: number('arrowWidth'),
  arrowScaling: number('arrowScaling'),
  contourmapsShow: z.boolean(),
  vorticityCalculationWindow: number('vorticityCalculationWindow'),
  lineWidth: number('lineWidth'),
  linDensity: number('linDensity'),
})

/** Settings that a member keeps under a name. */
export const flowPresetSchema = z.object({
  name: z.string().trim().min(1).max(limits.presetNameLength),
  settings: flowSettingsSchema,
})
export type FlowPreset = z.infer<typeof flowPresetSchema>
