import { pytorchCode } from '@neuroloom/contract/network/code/code'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { loadPytorchTexts } from './pytorch-texts.ts'

/** The network as a program of its own. */
export async function programOf(plan: Plan, name: string): Promise<string> {
  return pytorchCode(plan, { name, texts: await loadPytorchTexts() })
}
