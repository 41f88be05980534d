import type { AnyToolName } from '@neuroloom/contract/toolbox/calls'
import { tools } from '@neuroloom/contract/toolbox/toolbox'

/** Where a tool opens: its page, or its panel inside the toolbox. */
export function toolAddress(name: AnyToolName): string {
  const tool = tools.find((one) => one.name === name)
  return tool && 'page' in tool ? tool.page : `/toolboxHome?tool=${encodeURIComponent(name)}`
}
